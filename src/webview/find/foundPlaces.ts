/** The entries that have matches, ascending, and how many each has. */
export interface FoundPlaces {
  readonly indexes: readonly number[];
  readonly counts: readonly number[];
  /** Matches altogether. */
  readonly total: number;
}

export const nothingFound: FoundPlaces = { indexes: [], counts: [], total: 0 };

/**
 * With what has changed, as an entry and its number of matches, one after the other: entries with other
 * counts, entries that have none any more.
 */
export function withChanges(before: FoundPlaces, changes: readonly number[]): FoundPlaces {
  const order = ascending(changes);
  const indexes: number[] = [];
  const counts: number[] = [];
  let total = 0;
  const add = (index: number, count: number): void => {
    if (count > 0) {
      indexes.push(index);
      counts.push(count);
      total += count;
    }
  };
  let at = 0;
  for (const place of order) {
    const index = changes[place] ?? 0;
    for (; (before.indexes[at] ?? Infinity) < index; at++) {
      add(before.indexes[at] ?? 0, before.counts[at] ?? 0);
    }
    at += before.indexes[at] === index ? 1 : 0;
    add(index, changes[place + 1] ?? 0);
  }
  for (; at < before.indexes.length; at++) {
    add(before.indexes[at] ?? 0, before.counts[at] ?? 0);
  }
  return { indexes, counts, total };
}

/** Where the pairs begin, by their entries. */
function ascending(changes: readonly number[]): readonly number[] {
  const order: number[] = [];
  for (let place = 0; place < changes.length; place += 2) {
    order.push(place);
  }
  return order.sort((a, b) => (changes[a] ?? 0) - (changes[b] ?? 0));
}

/** Where the first entry from `index` on is among those found; their number when there is none. */
export function placeFrom({ indexes }: FoundPlaces, index: number): number {
  let low = 0;
  let high = indexes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indexes[middle] ?? 0) < index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** How many matches are in the entries before this place. */
export function matchesBefore({ counts }: FoundPlaces, place: number): number {
  let matches = 0;
  for (let at = 0; at < place; at++) {
    matches += counts[at] ?? 0;
  }
  return matches;
}
