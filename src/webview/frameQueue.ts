/** Milliseconds between two frames at 60 Hz. */
const frameTime = 16;

/**
 * Delivers values in order: immediately after a pause, because the user may be waiting; otherwise
 * batched, once per frame.
 */
export class FrameQueue<T> {
  readonly #flush: (values: readonly T[]) => void;
  readonly #nextFrame: (run: () => void) => void;
  #values: T[] = [];
  #flushedAt = -Infinity;

  constructor(flush: (values: readonly T[]) => void, nextFrame: (run: () => void) => void) {
    this.#flush = flush;
    this.#nextFrame = nextFrame;
  }

  push(value: T): void {
    this.#values.push(value);
    if (this.#values.length > 1) {
      return;
    }
    if (performance.now() - this.#flushedAt > frameTime) {
      this.#run();
    } else {
      this.#nextFrame(() => this.#run());
    }
  }

  #run(): void {
    const values = this.#values;
    this.#values = [];
    this.#flushedAt = performance.now();
    this.#flush(values);
  }
}
