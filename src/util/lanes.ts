/** Does what belongs to one key in its order, and what belongs to others beside it, so much at a time as there are lanes. */
export class Lanes {
  /** When each lane is free again. */
  readonly #free: Promise<unknown>[];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, () => Promise.resolve());
  }

  /** Settles when everything that has been asked for so far is done. */
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

  /** The same after everything that came before and before everything that comes later. */
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
