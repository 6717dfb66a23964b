import type { OutputTail } from './outputTail';

/**
 * Limits the memory that the outputs of all commands hold together, including those that have
 * ended. If it is exceeded, the largest output drops its older half, and counts as truncated from
 * then on.
 */
export class OutputBudget {
  readonly #maxBytes: number;
  readonly #tails = new Set<OutputTail>();
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of memory held. */
  get held(): number {
    return this.#held;
  }

  add(tail: OutputTail): void {
    this.#tails.add(tail);
    this.#held += tail.held;
  }

  push(tail: OutputTail, text: string): void {
    this.#change(tail, () => tail.push(text));
    while (this.#held > this.#maxBytes) {
      const largest = [...this.#tails].reduce((most, other) =>
        other.held > most.held ? other : most,
      );
      this.#change(largest, () => largest.keepAtMost(Math.floor(largest.held / 2)));
    }
  }

  /** No further output will come. */
  end(tail: OutputTail): void {
    this.#change(tail, () => tail.end());
  }

  /** The output isn't needed any more. */
  forget(tail: OutputTail): void {
    this.#change(tail, () => tail.keepAtMost(0));
    this.#tails.delete(tail);
  }

  #change(tail: OutputTail, change: () => void): void {
    const counts = this.#tails.has(tail);
    this.#held -= counts ? tail.held : 0;
    change();
    this.#held += counts ? tail.held : 0;
  }
}
