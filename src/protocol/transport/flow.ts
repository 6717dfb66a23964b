/** A stream that can be held up. */
interface Source {
  pause(): void;
  resume(): void;
}

/** How much is taken of all together in each of these stretches of time. */
const stretchMs = 50;
const stretchBytes = 1024 * 1024;

/**
 * Slows down a flood from many sources instead of letting it eat the host. Each may write what it has read
 * already; who has written when there is too much waits until the others' part is worked off, too.
 */
export class Flow {
  readonly #bytesInStretch: number;
  readonly #after: (ms: number, next: () => void) => void;
  readonly #held = new Set<Source>();
  /** What was taken and isn't worked off. */
  #bytes = 0;
  #isWaiting = false;

  constructor(
    bytesInStretch = stretchBytes,
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms),
  ) {
    this.#bytesInStretch = bytesInStretch;
    this.#after = after;
  }

  /** To be told of everything that a source has written. */
  took(bytes: number, source: Source): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesInStretch) {
      this.#held.add(source);
      source.pause();
    }
    this.#wait();
  }

  #wait(): void {
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#after(stretchMs, () => this.#nextStretch());
    }
  }

  #nextStretch(): void {
    this.#isWaiting = false;
    this.#bytes = Math.max(0, this.#bytes - this.#bytesInStretch);
    if (this.#bytes > 0) {
      this.#wait();
    }
    if (this.#bytes < this.#bytesInStretch) {
      const held = [...this.#held];
      this.#held.clear();
      for (const source of held) {
        source.resume();
      }
    }
  }
}
