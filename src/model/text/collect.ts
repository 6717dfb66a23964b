import { setImmediate } from 'node:timers/promises';

/** Time after which to yield to the event loop, in ms. */
const slice = 10;

/** Collects all pieces and yields to the event loop regularly. Rejects when `signal` aborts. */
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
