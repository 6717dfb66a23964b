/**
 * Runs work with the same key in order, and work with different keys concurrently in a fixed number
 * of lanes.
 */
export class Lanes {
  /** Per lane, a promise that resolves when it is free. */
  readonly #free: Promise<unknown>[];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, () => Promise.resolve());
  }

  /** Resolves when everything started so far has settled. */
  get idle(): Promise<void> {
    return Promise.all(this.#free).then(() => undefined);
  }

  /** Settles like `work`. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const lane = sumOf(key) % this.#free.length;
    const done = Promise.resolve(this.#free[lane]).then(work);
    this.#free[lane] = done.catch(() => undefined);
    return done;
  }

  /** Like `run`, but after all work started before and before all work started later. */
  runAlone(work: () => Promise<void>): Promise<void> {
    const done = this.idle.then(work);
    const free = done.catch(() => undefined);
    for (const lane of this.#free.keys()) {
      this.#free[lane] = free;
    }
    return done;
  }
}

function sumOf(key: string): number {
  let sum = 0;
  for (let index = 0; index < key.length; index++) {
    sum += key.charCodeAt(index);
  }
  return sum;
}
