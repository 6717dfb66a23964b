import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { type AnyMessage, ndJsonStream, type Stream } from '@agentclientprotocol/sdk/unstable';

/**
 * ACP over this process's stdin and stdout. The SDK reads; writes go directly to stdout, because
 * another stream in between makes the replay of a long session take three times as long.
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
