import { diffArrays } from 'diff';
import type { Lines } from './comment';

/** Lines `from` to before `to` have been replaced by `count` others. */
interface Replaced {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Lines that differ and are still compared one by one. */
const maxCompared = 5000;
const maxEdits = 300;

/** Where lines of a text are after it has changed; `undefined` if nothing is left of them. */
export function followLines(
  lines: Lines,
  before: readonly string[],
  after: readonly string[],
): Lines | undefined {
  let { first, last } = lines;
  let isGone = false;
  // From the end, so that the places of those before it still hold.
  for (const { from, to, count } of findReplaced(before, after).toReversed()) {
    const grown = count - (to - from);
    if (to <= first) {
      first += grown;
      last += grown;
    } else if (from > last) {
      continue;
    } else if (from >= first && to <= last + 1) {
      isGone ||= from === first && to === last + 1 && count === 0;
      last = Math.max(first, last + grown);
    } else {
      const inside = (line: number): number => from + Math.min(line - from, Math.max(count - 1, 0));
      isGone ||= count === 0 && from <= first && to > last;
      first = first < from ? first : inside(first);
      last = Math.max(first, last >= to ? last + grown : inside(last));
    }
  }
  const end = Math.max(after.length - 1, 0);
  return isGone
    ? undefined
    : { first: Math.min(first, end), last: Math.min(Math.max(first, last), end) };
}

/** Where lines that begin with this text are now; of several places, the one nearest to where they were. */
export function findLines(text: string, near: Lines, all: readonly string[]): Lines | undefined {
  const wanted = text.split('\n');
  let found: number | undefined;
  for (let at = 0; at + wanted.length <= all.length; at += 1) {
    const isNearer =
      found === undefined || Math.abs(at - near.first) < Math.abs(found - near.first);
    if (isNearer && wanted.every((line, index) => all[at + index] === line)) {
      found = at;
    }
  }
  return found === undefined
    ? undefined
    : { first: found, last: Math.min(found + near.last - near.first, all.length - 1) };
}

function findReplaced(before: readonly string[], after: readonly string[]): readonly Replaced[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start += 1;
  }
  let same = 0;
  while (
    same < shorter - start &&
    before[before.length - 1 - same] === after[after.length - 1 - same]
  ) {
    same += 1;
  }
  const old = before.slice(start, before.length - same);
  const now = after.slice(start, after.length - same);
  if (old.length === 0 && now.length === 0) {
    return [];
  }
  const whole: Replaced = { from: start, to: start + old.length, count: now.length };
  const parts =
    old.length + now.length <= maxCompared
      ? diffArrays([...old], [...now], { maxEditLength: maxEdits })
      : undefined;
  if (parts === undefined) {
    return [whole];
  }
  const replaced: Replaced[] = [];
  let at = start;
  let open: { from: number; to: number; count: number } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { from: at, to: at, count: 0 };
      replaced.push(open);
    }
    if (added) {
      open.count += value.length;
    } else {
      at += value.length;
      open.to = at;
    }
  }
  return replaced;
}
