/** The entries with matches, ascending, and the number of matches in each. */
export interface FoundPlaces {
  readonly indexes: readonly number[];
  readonly counts: readonly number[];
  /** Total number of matches. */
  readonly total: number;
}

export const nothingFound: FoundPlaces = { indexes: [], counts: [], total: 0 };

/**
 * Applies changes in the message's format: runs of entries with new counts, zero for no more
 * matches. Runs don't overlap.
 */
export function withChanges(before: FoundPlaces, changes: Uint32Array): FoundPlaces {
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
  const keepUntil = (end: number): void => {
    for (; (before.indexes[at] ?? Infinity) < end; at++) {
      add(before.indexes[at] ?? 0, before.counts[at] ?? 0);
    }
  };
  for (const { start, end, count } of getRuns(changes)) {
    keepUntil(start);
    at = placeFrom(before, end, at);
    for (let index = start; index < end; index++) {
      add(index, count);
    }
  }
  keepUntil(Infinity);
  return { indexes, counts, total };
}

interface Run {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Matches in each entry of the run. */
  readonly count: number;
}

/** Sorted by `start`. */
function getRuns(changes: Uint32Array): readonly Run[] {
  const runs: Run[] = [];
  for (let place = 0; place < changes.length; place += 3) {
    const [start = 0, length = 0, count = 0] = changes.subarray(place, place + 3);
    runs.push({ start, end: start + length, count });
  }
  return runs.sort((a, b) => a.start - b.start);
}

/**
 * Position in `indexes` of the first entry at or after `index`, searched from position `from`;
 * `indexes.length` if there is none.
 */
export function placeFrom({ indexes }: FoundPlaces, index: number, from = 0): number {
  let low = from;
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

/** Total number of matches in the entries before this position. */
export function matchesBefore({ counts }: FoundPlaces, place: number): number {
  let matches = 0;
  for (let at = 0; at < place; at++) {
    matches += counts[at] ?? 0;
  }
  return matches;
}
