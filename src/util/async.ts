import { type Disposable, toDisposable } from './disposable';

/** A promise that can be settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Returns a function that runs each work after all that were given before, whether or not they failed. */
export function inSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Works on at most `atOnce` items at the same time; the results have the order of the items. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  // All workers take from the same iterator.
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/**
 * Does all works at the same time, and resolves when every one is over, with the errors of those that failed: none keeps
 * this from waiting for the others.
 */
export async function allOver(works: readonly (() => unknown)[]): Promise<readonly unknown[]> {
  const over = await Promise.allSettled(
    works.map(async (work) => {
      await work();
    }),
  );
  return over.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
}

/** The pending work of this key; starts it if there is none. */
export function shared<K, T>(
  pending: Map<K, Promise<T>>,
  key: K,
  work: () => Promise<T>,
): Promise<T> {
  const found = pending.get(key);
  if (found !== undefined) {
    return found;
  }
  const started = work().finally(() => pending.delete(key));
  pending.set(key, started);
  return started;
}

/** Settles like `promise`, or rejects with `onTimeout()` after `ms` milliseconds. */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `onStall` once, after `progress()` has returned the same number for at least `ms` and less
 * than twice `ms` milliseconds.
 */
export function watchProgress(progress: () => number, ms: number, onStall: () => void): Disposable {
  let last = progress();
  let timer = setTimeout(look, ms);
  function look(): void {
    const now = progress();
    if (now === last) {
      onStall();
    } else {
      last = now;
      timer = setTimeout(look, ms);
    }
  }
  return toDisposable(() => clearTimeout(timer));
}
