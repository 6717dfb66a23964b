/** Longest wait where no frames are drawn, as in a hidden tab, in milliseconds. */
const longestWait = 250;

/** Collects values and hands them on together, once a frame, in their order. */
export class FrameQueue<T> {
  readonly #flush: (values: readonly T[]) => void;
  #values: T[] = [];

  constructor(flush: (values: readonly T[]) => void) {
    this.#flush = flush;
  }

  push(value: T): void {
    this.#values.push(value);
    if (this.#values.length > 1) {
      return;
    }
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      this.#run();
    });
    const timer = setTimeout(() => {
      cancelAnimationFrame(frame);
      this.#run();
    }, longestWait);
  }

  #run(): void {
    const values = this.#values;
    this.#values = [];
    this.#flush(values);
  }
}
