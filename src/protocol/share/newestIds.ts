import { Buffer } from 'node:buffer';

export interface IdBounds {
  readonly count: number;
  readonly bytes: number;
}

/** Ids within bounds, oldest first; with more, the oldest are dropped. */
export class NewestIds {
  readonly #bounds: IdBounds;
  /** The ids with the bytes of each. */
  readonly #ids = new Map<string, number>();
  #bytes = 0;

  constructor(bounds: IdBounds) {
    this.#bounds = bounds;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  get all(): readonly string[] {
    return [...this.#ids.keys()];
  }

  /** The id is the newest now. Returns those that were dropped for it. */
  add(id: string): readonly string[] {
    this.delete(id);
    const size = Buffer.byteLength(id);
    this.#ids.set(id, size);
    this.#bytes += size;
    const dropped: string[] = [];
    for (const oldest of this.#ids.keys()) {
      if (this.#ids.size <= this.#bounds.count && this.#bytes <= this.#bounds.bytes) {
        break;
      }
      this.delete(oldest);
      dropped.push(oldest);
    }
    return dropped;
  }

  /** Removes an id; returns whether it was there. */
  delete(id: string): boolean {
    this.#bytes -= this.#ids.get(id) ?? 0;
    return this.#ids.delete(id);
  }
}
