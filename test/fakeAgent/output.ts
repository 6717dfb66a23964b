import { generatedUpdate } from './generate';
import type { AgentHost } from './host';
import type { Mix } from './scenario';

/** Bytes per write: the capacity of a pipe on Linux. */
const chunkSize = 65_536;

/** Generated updates without their session id, ready to be copied into chunks. */
interface Prepared {
  readonly bytes: Buffer;
  /** The end offset of each update. */
  readonly ends: readonly number[];
}

const prepared = new Map<string, Prepared>();

/** Generates the updates ahead of time, so that writing them later costs little. */
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

/**
 * Writes the updates in large chunks, reading stdin in between. Stops early once `stopped()` is
 * true.
 */
export async function writeUpdates(
  { bytes, ends }: Prepared,
  sessionId: string,
  write: AgentHost['write'],
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
