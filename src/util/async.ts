import { type Disposable, toDisposable } from './disposable';

/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Settles as `promise` does, or rejects with `onTimeout()` when `ms` milliseconds pass first. */
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
 * Calls `onStall` once when `progress()` has returned the same number for `ms` milliseconds; the call comes within
 * as long again.
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
