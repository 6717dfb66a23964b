import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { type AnyMessage, ndJsonStream, type Stream } from '@agentclientprotocol/sdk/unstable';

/**
 * ACP over this process' stdin and stdout. Reading is the SDK's; writing goes straight to stdout, since
 * a second stream between them makes the replay of a long session take three times as long.
 */
export function stdioStream(): Stream {
  const { stdin, stdout } = process;
  const { readable } = ndJsonStream(Writable.toWeb(stdout), Readable.toWeb(stdin));
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if (!stdout.write(`${JSON.stringify(message)}\n`)) {
        await once(stdout, 'drain');
      }
    },
  });
  return { readable, writable };
}
