/** Time between two frames of a usual screen, in milliseconds. */
const frameTime = 16;

/**
 * Hands values on in their order: at once after a pause, because somebody may be waiting; otherwise
 * together, once a frame.
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
