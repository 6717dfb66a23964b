import process from 'node:process';
import { generatedUpdate } from './generate';
import type { Mix } from './scenario';

/** Bytes that one write hands to the pipe: what a pipe holds on Linux. */
const chunkSize = 65_536;

/** Resolves when the bytes are out; order is that of the calls. */
export function write(bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(bytes, () => resolve());
  });
}

/** Generated updates without their session id, ready to be copied into chunks. */
interface Prepared {
  readonly bytes: Buffer;
  /** Where each update ends. */
  readonly ends: readonly number[];
}

const prepared = new Map<string, Prepared>();

/** Makes the updates now, so that writing them later costs little. */
export function prepareUpdates(count: number, mix: Mix): Prepared {
  const key = `${mix} ${count}`;
  let found = prepared.get(key);
  if (!found) {
    const parts: Buffer[] = [];
    const ends: number[] = [];
    let end = 0;
    for (let i = 0; i < count; i++) {
      const part = Buffer.from(`${JSON.stringify(generatedUpdate(i, mix))}}}\n`);
      parts.push(part);
      end += part.length;
      ends.push(end);
    }
    found = { bytes: Buffer.concat(parts), ends };
    prepared.set(key, found);
  }
  return found;
}

/** Writes the updates in large pieces, reading stdin in between. Stops early when `stopped()`. */
export async function writeUpdates(
  { bytes, ends }: Prepared,
  sessionId: string,
  stopped: () => boolean,
): Promise<void> {
  const head = Buffer.from(
    `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},"update":`,
  );
  let chunk = Buffer.allocUnsafe(chunkSize);
  let used = 0;
  let start = 0;
  for (const end of ends) {
    const length = head.length + end - start;
    if (used + length > chunk.length) {
      await write(chunk.subarray(0, used));
      await new Promise((resolve) => setImmediate(resolve));
      if (stopped()) {
        return;
      }
      chunk = Buffer.allocUnsafe(Math.max(chunkSize, length));
      used = 0;
    }
    used += head.copy(chunk, used);
    used += bytes.copy(chunk, used, start, end);
    start = end;
  }
  await write(chunk.subarray(0, used));
}
