import { go } from 'fuzzysort';

const longest = 100;
const leastScore = 0.3;

/** The names most similar to `written`: those within a few edits of it, followed by fuzzy matches. */
export function nearest(
  written: string,
  names: readonly string[],
  limit: number,
): readonly string[] {
  const wanted = written.toLowerCase().slice(0, longest);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const typos = names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase().slice(0, longest)) }))
    .filter((near) => near.distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
  const within = go(written, names, { limit, threshold: leastScore }).map(({ target }) => target);
  return [...new Set([...typos, ...within])].slice(0, limit);
}

/**
 * Damerau–Levenshtein distance: the number of insertions, deletions, replacements and swaps of
 * adjacent characters.
 */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
