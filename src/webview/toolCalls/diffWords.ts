import { diffArrays } from 'diff';

/** A range of offsets in a line; `end` is exclusive. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly type: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** Words that have come or gone in a line; if there are more, none is marked. */
const maxEdits = 50;
/** Lines that share less than this fraction aren't treated as versions of the same line. */
const leastAlike = 0.3;

/**
 * The changed ranges within lines, by line index. Where as many lines were added as removed, they
 * are compared pairwise.
 */
export function changedWords(lines: readonly Line[]): ReadonlyMap<number, readonly WordSpan[]> {
  const words = new Map<number, readonly WordSpan[]>();
  for (let start = 0; start < lines.length; ) {
    const removed = getCount(lines, start, 'removed');
    const added = getCount(lines, start + removed, 'added');
    for (let at = start; removed === added && at < start + removed; at++) {
      const [before, after] = changedIn(lines[at]?.text ?? '', lines[at + removed]?.text ?? '');
      words.set(at, before);
      words.set(at + removed, after);
    }
    start += Math.max(removed + added, 1);
  }
  return words;
}

function getCount(lines: readonly Line[], start: number, type: Line['type']): number {
  let end = start;
  while (lines[end]?.type === type) {
    end++;
  }
  return end - start;
}

type Spans = readonly [before: readonly WordSpan[], after: readonly WordSpan[]];

function changedIn(before: string, after: string): Spans {
  const options = { maxEditLength: maxEdits };
  const [removed, added]: [WordSpan[], WordSpan[]] = [[], []];
  let [start, newStart, shared] = [0, 0, 0];
  for (const change of diffArrays(getWords(before), getWords(after), options) ?? []) {
    const { length } = change.value.join('');
    if (change.removed) {
      removed.push({ start, end: start + length });
    } else if (change.added) {
      added.push({ start: newStart, end: newStart + length });
    } else {
      shared += change.value.filter((word) => word.trim() !== '').join('').length;
    }
    start += change.added ? 0 : length;
    newStart += change.removed ? 0 : length;
  }
  const longer = Math.max(before.trim().length, after.trim().length);
  return shared < longer * leastAlike ? [[], []] : [removed, added];
}

function getWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
}
