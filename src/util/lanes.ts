/** Runs the work of one key in order and that of different keys concurrently, one piece of work in each lane. */
export class Lanes {
  /** For each lane, when it is free again. */
  readonly #free: Promise<unknown>[];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, () => Promise.resolve());
  }

  /** Settles when everything that was started so far is done. */
  get idle(): Promise<void> {
    return Promise.all(this.#free).then(() => undefined);
  }

  /** Settles as `work` does. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const lane = sumOf(key) % this.#free.length;
    const done = Promise.resolve(this.#free[lane]).then(work);
    this.#free[lane] = done.catch(() => undefined);
    return done;
  }

  /** Like `run`, after everything that was started before and before everything that is started later. */
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
