import { inSequence } from '../../util/async';

/** What is held of each work beside its size. */
const ownSize = 1024;

/** Works in their order, as some need time. While much waits, whoever brings more is paused. */
export class BoundedSequence {
  readonly #most: number;
  readonly #source: { pause(): void; resume(): void };
  readonly #inSequence = inSequence();
  #size = 0;

  constructor(most: number, source: { pause(): void; resume(): void }) {
    this.#most = most;
    this.#source = source;
  }

  /** The size of all that waits. */
  get size(): number {
    return this.#size;
  }

  /** Settles like the work. */
  async add(size: number, work: () => Promise<void>): Promise<void> {
    const held = size + ownSize;
    this.#size += held;
    if (this.#size > this.#most) {
      this.#source.pause();
    }
    try {
      await this.#inSequence(work);
    } finally {
      const wasMore = this.#size > this.#most;
      this.#size -= held;
      if (wasMore && this.#size <= this.#most) {
        this.#source.resume();
      }
    }
  }
}
