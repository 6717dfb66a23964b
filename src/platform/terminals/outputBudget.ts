import type { OutputTail } from './outputTail';

/**
 * What the outputs of all commands may hold together, of those that have ended, too. When it is too much,
 * the one that holds most gives up its older half, and says from then on that it was cut.
 */
export class OutputBudget {
  readonly #maxBytes: number;
  readonly #tails = new Set<OutputTail>();
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of memory. */
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

  /** Nothing comes any more. */
  end(tail: OutputTail): void {
    this.#change(tail, () => tail.end());
  }

  /** Nobody asks for it any more. */
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
