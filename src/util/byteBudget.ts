interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Limits the number of bytes held at a time. Work that doesn't fit waits, first come, first served. */
export class ByteBudget {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs `work` once there is room for `bytes`, which count until it settles. Work that exceeds the
   * whole budget runs alone.
   */
  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const counted = Math.min(bytes, this.#most);
    if (this.#waiting.length > 0 || this.#held + counted > this.#most) {
      await new Promise<void>((begin) => this.#waiting.push({ bytes: counted, begin }));
    } else {
      this.#held += counted;
    }
    try {
      return await work();
    } finally {
      this.#held -= counted;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (
      let [next] = this.#waiting;
      next !== undefined && this.#held + next.bytes <= this.#most;
      [next] = this.#waiting
    ) {
      this.#waiting.shift();
      this.#held += next.bytes;
      next.begin();
    }
  }
}
