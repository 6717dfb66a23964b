/** Indexes of entries in ascending order. Adding at or near the end, where entries arrive, is cheap. */
export class SortedIndexes {
  #items: number[] = [];

  get length(): number {
    return this.#items.length;
  }

  get all(): readonly number[] {
    return this.#items;
  }

  at(position: number): number | undefined {
    return this.#items[position];
  }

  /** Returns whether this changed anything. */
  set(index: number, isIn: boolean): boolean {
    const position = this.positionOf(index);
    if ((this.#items[position] === index) === isIn) {
      return false;
    }
    if (isIn) {
      this.#items.splice(position, 0, index);
    } else {
      this.#items.splice(position, 1);
    }
    return true;
  }

  /** The position of the first index that isn't less than `index`; past the end if there is none. */
  positionOf(index: number): number {
    let low = 0;
    let high = this.#items.length;
    // Most lookups are at the end.
    if (high === 0 || (this.#items[high - 1] ?? 0) < index) {
      return high;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle] ?? 0) < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  clear(): void {
    // A new array, so that readers of the old one see no change.
    this.#items = [];
  }
}
