/** A stream that can be paused. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Length of an interval in milliseconds; a limited number of bytes is accepted in each. */
const stretchMs = 50;
const stretchBytes = 1024 * 1024;

/**
 * Limits the rate of many sources together, so that a flood doesn't block the extension host. A
 * source that delivers bytes while the limit is exceeded is paused until the excess of all sources
 * has been worked off.
 */
export class Flow {
  readonly #bytesInStretch: number;
  readonly #after: (ms: number, next: () => void) => void;
  readonly #held = new Set<Source>();
  /** Bytes that were accepted but not worked off yet. */
  #bytes = 0;
  #isWaiting = false;

  constructor(
    bytesInStretch = stretchBytes,
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(next, ms),
  ) {
    this.#bytesInStretch = bytesInStretch;
    this.#after = after;
  }

  /** Must be called with everything that a source delivers. */
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
