import { diffArrays } from 'diff';
import { commonEnds } from '../../../../model/text/changedLines';
import type { Hunk, LineRange } from '../review';

/**
 * Comparing takes about as many steps as there are lines times edits. Beyond these bounds, the whole of both texts
 * counts as different.
 */
const maxEdits = 1_000;
const maxSteps = 20_000_000;

/** The lines of a text with their line ends, as VS Code counts them, but without an empty last one. */
export function linesIn(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** The places where two texts differ; one, if they are too different to be compared. */
export function hunksBetween(before: readonly string[], now: readonly string[]): readonly Hunk[] {
  const { start, end, added, removed } = commonEnds(before, now);
  if (added === 0 && removed === 0) {
    return [];
  }
  const whole = { before: range(start, removed), now: range(start, added) };
  if (added === 0 || removed === 0) {
    return [whole];
  }
  const pairs = equalLines(
    before.slice(start, before.length - end),
    now.slice(start, now.length - end),
  );
  return pairs === undefined
    ? [whole]
    : hunksAround(pairs, start, [before.length - end, now.length - end]);
}

/** Indexes of a line in both texts. */
type Pair = readonly [before: number, now: number];

/** The lines that stay, ascending; `undefined` if finding them takes too long. */
function equalLines(
  before: readonly string[],
  now: readonly string[],
): readonly Pair[] | undefined {
  // A line that the other text doesn't have is changed in any case. Leaving out such lines, which most changed lines
  // are, makes comparing faster.
  const old = indexesIn(before, new Set(now));
  const new_ = indexesIn(now, new Set(before));
  const maxEditLength = Math.min(maxEdits, Math.ceil(maxSteps / (old.length + new_.length + 1)));
  const lines = [old.map((at) => before[at] ?? ''), new_.map((at) => now[at] ?? '')] as const;
  const changes = diffArrays(...lines, { maxEditLength });
  if (changes === undefined) {
    return undefined;
  }
  const pairs: Pair[] = [];
  let [at, to] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let it = 0; !added && !removed && it < count; it++) {
      pairs.push([old[at + it] ?? 0, new_[to + it] ?? 0]);
    }
    at += added ? 0 : count;
    to += removed ? 0 : count;
  }
  return pairs;
}

function indexesIn(lines: readonly string[], others: ReadonlySet<string>): readonly number[] {
  return [...lines.keys()].filter((at) => others.has(lines[at] ?? ''));
}

function hunksAround(
  pairs: readonly Pair[],
  start: number,
  [endBefore, endNow]: Pair,
): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [before, now] = [start, start];
  const last: Pair = [endBefore - start, endNow - start];
  for (const [pairBefore, pairNow] of [...pairs, last]) {
    const [removed, added] = [start + pairBefore - before, start + pairNow - now];
    if (removed > 0 || added > 0) {
      hunks.push({ before: range(before, removed), now: range(now, added) });
    }
    [before, now] = [start + pairBefore + 1, start + pairNow + 1];
  }
  return hunks;
}

function range(start: number, count: number): LineRange {
  return { start: start + 1, end: start + 1 + count };
}

/** `now` with these of its hunks as they were before. */
export function revert(
  before: readonly string[],
  now: readonly string[],
  hunks: readonly Hunk[],
): readonly string[] {
  return replaced(
    now,
    hunks.map((hunk) => ({ at: hunk.now, lines: linesAt(before, hunk.before) })),
  );
}

/** `before` with these hunks as they are now. */
export function apply(
  before: readonly string[],
  now: readonly string[],
  hunks: readonly Hunk[],
): readonly string[] {
  return replaced(
    before,
    hunks.map((hunk) => ({ at: hunk.before, lines: linesAt(now, hunk.now) })),
  );
}

interface Piece {
  readonly at: LineRange;
  readonly lines: readonly string[];
}

function replaced(lines: readonly string[], pieces: readonly Piece[]): readonly string[] {
  const parts: (readonly string[])[] = [];
  let from = 0;
  for (const { at, lines: put } of pieces) {
    parts.push(lines.slice(from, at.start - 1), put);
    from = at.end - 1;
  }
  parts.push(lines.slice(from));
  return withLineEnds(parts.flat(), lines);
}

/**
 * Adds the line end that any line but the last lacks: a line that was the last of its text would otherwise join the one
 * that now follows it.
 */
export function withLineEnds(lines: readonly string[], like: readonly string[]): readonly string[] {
  const isOpen = (line: string): boolean => !/[\r\n]$/.test(line);
  const open = lines.findIndex(isOpen);
  if (open === -1 || open === lines.length - 1) {
    return lines;
  }
  const lineEnd = getLineEnd([...lines, ...like]);
  return lines.map((line, index) =>
    index < lines.length - 1 && isOpen(line) ? line + lineEnd : line,
  );
}

function getLineEnd(lines: readonly string[]): string {
  const [lineEnd] = /[\r\n]+$/.exec(lines.find((line) => /[\r\n]$/.test(line)) ?? '') ?? ['\n'];
  return lineEnd;
}

function linesAt(lines: readonly string[], { start, end }: LineRange): readonly string[] {
  return lines.slice(start - 1, end - 1);
}

/** Whether two ranges share a line, or meet if one of them is empty. */
export function touches(one: LineRange, other: LineRange): boolean {
  const from = Math.max(one.start, other.start);
  const to = Math.min(one.end, other.end);
  const hasEmpty = one.start >= one.end || other.start >= other.end;
  return hasEmpty ? from <= to : from < to;
}

/** The range of `now` for one of `before`; a line that is gone leads to the hunk that replaced it. */
export function rangeNow(hunks: readonly Hunk[], { start, end }: LineRange): LineRange {
  return { start: lineNow(hunks, start, 'start'), end: lineNow(hunks, end, 'end') };
}

function lineNow(hunks: readonly Hunk[], line: number, edge: 'start' | 'end'): number {
  let shift = 0;
  for (const { before, now } of hunks) {
    if (line < before.start || (line === before.start && edge === 'end')) {
      break;
    }
    if (line < before.end) {
      return now[edge];
    }
    shift = now.end - before.end;
  }
  return line + shift;
}

/** The number of lines that hunks add and remove. */
export function countLines(hunks: readonly Hunk[]): readonly [added: number, removed: number] {
  return hunks.reduce(
    ([added, removed], { before, now }) => [
      added + now.end - now.start,
      removed + before.end - before.start,
    ],
    [0, 0],
  );
}
