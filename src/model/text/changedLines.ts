import type { Diff } from '../../shared/transcript/content';
import type { Effort } from '../../util/effort';
import { hunksOf } from './compareTexts';

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** How many lines a change adds and takes away; beyond `effort` all between its first and its last other line. */
export function changedLineCount({ oldText, newText }: Diff, effort: Effort): LineCount {
  if (!oldText) {
    return { added: linesOf(newText).length, removed: 0 };
  }
  const old = linesOf(oldText);
  const now = linesOf(newText);
  const { start, end, added, removed } = commonEnds(old, now);
  const between = new Set(old.slice(start, old.length - end));
  // Nothing is left to compare: most edits are one place, with lines that weren't there before.
  const isOnePlace = now.slice(start, now.length - end).every((line) => !between.has(line));
  const hunks = isOnePlace ? undefined : hunksOf(oldText, newText, effort);
  if (hunks === undefined) {
    return { added, removed };
  }
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: starting('+'), removed: starting('-') };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** How many lines two texts have in common at their start, and at their end after that; what is between counts as changed. */
export function commonEnds(
  old: readonly string[],
  now: readonly string[],
): LineCount & { readonly start: number; readonly end: number } {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  return { start, end, added: now.length - start - end, removed: old.length - start - end };
}
