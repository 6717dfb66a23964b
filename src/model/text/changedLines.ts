import type { Diff } from '../../shared/transcript/content';
import type { Effort } from '../../util/effort';
import { findHunks } from './compareTexts';

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/**
 * The number of lines that a change adds and removes; if comparing exceeds `effort`, all lines
 * between the first and the last difference count.
 */
export function changedLineCount({ oldText, newText }: Diff, effort: Effort): LineCount {
  if (!oldText) {
    return { added: getLines(newText).length, removed: 0 };
  }
  const old = getLines(oldText);
  const now = getLines(newText);
  const { start, end, added, removed } = commonEnds(old, now);
  const between = new Set(old.slice(start, old.length - end));
  // Then no comparison is needed: most edits change one place, with lines that weren't there
  // before.
  const isOnePlace = now.slice(start, now.length - end).every((line) => !between.has(line));
  const hunks = isOnePlace ? undefined : findHunks(oldText, newText, effort);
  if (hunks === undefined) {
    return { added, removed };
  }
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: starting('+'), removed: starting('-') };
}

function getLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/**
 * The number of equal lines at the start of two texts, and at the end of the rest; the lines in
 * between count as changed.
 */
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
