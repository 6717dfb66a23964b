import assert from 'node:assert/strict';
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import type { Transport } from '../../../src/protocol/agentTransport';
import type { Raw } from './peer';

/** A transport as the SDK's stream; `onLine` receives each incoming line before the SDK does. */
export function streamOf(
  transport: Transport,
  onLine: (line: Raw) => void,
): ReturnType<typeof ndJsonStream> {
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => transport.write(new TextDecoder().decode(bytes)),
  });
  const input = new ReadableStream<Uint8Array>({
    start: (controller) => {
      transport.onData((bytes) => {
        onLine(JSON.parse(new TextDecoder().decode(bytes)) as Raw);
        controller.enqueue(bytes);
      });
      transport.onEnd(() => controller.close());
    },
  });
  return ndJsonStream(output, input);
}

/** Checks that everything in `sent` is in `understood`, so that the parser knew all of it. */
export function assertWithin(sent: unknown, understood: unknown, where: string): void {
  if (typeof sent !== 'object' || sent === null) {
    assert.deepEqual(understood, sent, where);
    return;
  }
  for (const [key, value] of Object.entries(sent)) {
    assertWithin(value, (understood as Raw | undefined)?.[key], `${where}.${key}`);
  }
}
