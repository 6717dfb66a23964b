/** A range of offsets in a line; `end` is exclusive. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly type: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

const noSpans: readonly WordSpan[] = [];
/**
 * Limit for the word comparison of two lines; above it, everything between the common prefix and
 * suffix counts as changed.
 */
const mostSteps = 4000;
/** Lines that share less than this fraction aren't treated as versions of the same line. */
const leastAlike = 0.3;

/**
 * The changed ranges within lines, by line index. Where as many lines were added as removed, they
 * are compared pairwise.
 */
export function changedWords(lines: readonly Line[]): ReadonlyMap<number, readonly WordSpan[]> {
  const words = new Map<number, readonly WordSpan[]>();
  for (let start = 0; start < lines.length; ) {
    const removed = countOf(lines, start, 'removed');
    const added = countOf(lines, start + removed, 'added');
    for (let at = start; removed === added && at < start + removed; at++) {
      const [before, after] = changedIn(lines[at]?.text ?? '', lines[at + removed]?.text ?? '');
      words.set(at, before);
      words.set(at + removed, after);
    }
    start += Math.max(removed + added, 1);
  }
  return words;
}

function countOf(lines: readonly Line[], start: number, type: Line['type']): number {
  let end = start;
  while (lines[end]?.type === type) {
    end++;
  }
  return end - start;
}

type Spans = readonly [before: readonly WordSpan[], after: readonly WordSpan[]];

function changedIn(before: string, after: string): Spans {
  const old = wordsOf(before);
  const now = wordsOf(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) {
    tail++;
  }
  const kept = alike(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const isKept = (at: number, all: readonly string[], inner: ReadonlySet<number>): boolean =>
    at < head || at >= all.length - tail || inner.has(at - head);
  const common = old.filter((word, at) => word.trim() !== '' && isKept(at, old, kept.old)).join('');
  const longer = Math.max(before.trim().length, after.trim().length);
  return common.length < longer * leastAlike
    ? [noSpans, noSpans]
    : [
        spansOf(old, (at) => !isKept(at, old, kept.old)),
        spansOf(now, (at) => !isKept(at, now, kept.now)),
      ];
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
}

interface Kept {
  readonly old: ReadonlySet<number>;
  readonly now: ReadonlySet<number>;
}

/** The longest common subsequence of words. */
function alike(old: readonly string[], now: readonly string[]): Kept {
  const kept = { old: new Set<number>(), now: new Set<number>() };
  if (old.length * now.length > mostSteps) {
    return kept;
  }
  // Length of the longest common subsequence from each pair of positions on.
  const lengths: Uint16Array[] = [];
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    const line = new Uint16Array(now.length + 1);
    lengths[row] = line;
    for (let column = now.length - 1; column >= 0; column--) {
      line[column] =
        old[row] === now[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < old.length && column < now.length; ) {
    if (old[row] === now[column]) {
      kept.old.add(row++);
      kept.now.add(column++);
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      row++;
    } else {
      column++;
    }
  }
  return kept;
}

/** Merges adjacent words into one span. */
function spansOf(
  words: readonly string[],
  isChanged: (at: number) => boolean,
): readonly WordSpan[] {
  const spans: WordSpan[] = [];
  let start = 0;
  for (const [at, word] of words.entries()) {
    const end = start + word.length;
    const last = spans.at(-1);
    if (isChanged(at) && last?.end === start) {
      spans[spans.length - 1] = { start: last.start, end };
    } else if (isChanged(at)) {
      spans.push({ start, end });
    }
    start = end;
  }
  return spans;
}
