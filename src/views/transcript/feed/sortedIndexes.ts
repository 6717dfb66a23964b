/** Indexes of entries, ascending. Adding at or near the end, as entries come, costs next to nothing. */
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

  /** Whether that made a difference. */
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

  /** The place of the first index that is `index` or comes after it; past the end when there is none. */
  positionOf(index: number): number {
    let low = 0;
    let high = this.#items.length;
    // Most of what is asked for is at the end.
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
    // A new array: whoever still reads the old one sees what it was.
    this.#items = [];
  }
}
