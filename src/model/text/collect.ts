import { setImmediate } from 'node:timers/promises';

/** How long to work before others have their turn, in ms. */
const slice = 10;

/** All that there is, without holding up everybody else meanwhile. Rejects when `signal` aborts. */
export async function collect<T>(pieces: Iterable<T>, signal?: AbortSignal): Promise<T[]> {
  const collected: T[] = [];
  let sliceEnd = performance.now() + slice;
  for (const piece of pieces) {
    collected.push(piece);
    if (performance.now() > sliceEnd) {
      await setImmediate();
      signal?.throwIfAborted();
      sliceEnd = performance.now() + slice;
    }
  }
  return collected;
}
