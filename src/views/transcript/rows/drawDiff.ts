import { commonEnds } from '../../../model/text/changedLines';
import { findHunks } from '../../../model/text/compareTexts';
import type { Diff } from '../../../shared/transcript/content';
import type { DrawnDiff, DrawnDiffLine, LineNumbers } from '../../../shared/transcript/drawn';
import type { Effort } from '../../../util/effort';

interface Lines extends Pick<DrawnDiff, 'added' | 'removed' | 'lines' | 'cut'> {
  /** The first line of each stretch between gaps, in the compared texts. */
  readonly starts: readonly Required<LineNumbers>[];
}

/** Limits of what is shown; the whole diff opens in VS Code's diff editor. */
export interface DiffBounds {
  readonly lines: number;
  readonly lineLength: number;
  /** A diff is compared once, however often its row is drawn. */
  readonly compared: WeakMap<Diff, Lines>;
}

/** The bounds for a change in a row of the transcript. */
export const rowDiff: DiffBounds = { lines: 200, lineLength: 1000, compared: new WeakMap() };
/** The bounds for a change that the user decides about. */
export const wholeDiff: DiffBounds = { lines: 3000, lineLength: 20_000, compared: new WeakMap() };

/** Maximum number of removed and added lines shown of a change that isn't compared; of a larger one, none. */
const maxReplaced = 2000;
/** Lines of context around a change. */
const context = 3;

/**
 * The hunks of a diff within `bounds`, compared as far as `effort` allows. `label` is the short form of its path;
 * `origin` is the position of its texts in the file, if known.
 */
export function drawDiff(
  diff: Diff,
  label: string,
  bounds: DiffBounds,
  effort: Effort,
  origin?: LineNumbers,
): DrawnDiff {
  let compared = bounds.compared.get(diff);
  if (compared === undefined) {
    compared = compare(diff.oldText ?? '', diff.newText, bounds, effort);
    bounds.compared.set(diff, compared);
  }
  const { starts, ...lines } = compared;
  return {
    type: 'diff',
    path: diff.path,
    label,
    isNew: diff.oldText === null,
    ...lines,
    ...(origin && lines.lines.length > 0 && { numbers: starts.map((at) => moved(at, origin)) }),
  };
}

function moved(at: Required<LineNumbers>, origin: LineNumbers): LineNumbers {
  return {
    ...(origin.old !== undefined && { old: at.old + origin.old - 1 }),
    ...(origin.new !== undefined && { new: at.new + origin.new - 1 }),
  };
}

function compare(before: string, after: string, bounds: DiffBounds, effort: Effort): Lines {
  if (before === '') {
    // There is nothing to compare, however long it is.
    return allAdded(after, bounds);
  }
  const hunks = findHunks(before, after, effort);
  if (hunks === undefined) {
    return replaced(before, after, bounds);
  }
  const all: DrawnDiffLine[] = [];
  for (const hunk of hunks) {
    if (all.length > 0) {
      all.push({ type: 'gap', text: '' });
    }
    for (const line of hunk.lines) {
      const type = lineTypes[line.charAt(0)];
      // Lines without a type are jsdiff's remarks about a missing line end.
      if (type !== undefined) {
        all.push({ type, text: line.slice(1) });
      }
    }
  }
  const starts = hunks.map(({ oldStart, newStart }) => ({ old: oldStart, new: newStart }));
  return { ...getCount(all), ...bounded(all, bounds), starts };
}

const lineTypes: Readonly<Record<string, DrawnDiffLine['type']>> = {
  ' ': 'same',
  '+': 'added',
  '-': 'removed',
};

function allAdded(after: string, bounds: DiffBounds): Lines {
  const texts = after === '' ? [] : after.replace(/\n$/, '').split('\n');
  const most = texts.slice(0, bounds.lines + 1);
  const starts = [{ old: 1, new: 1 }];
  return { added: texts.length, removed: 0, ...bounded(asLines('added', most), bounds), starts };
}

/** A change without a comparison: everything between the common start and end counts as removed and added. */
function replaced(before: string, after: string, bounds: DiffBounds): Lines {
  const old = before.split('\n');
  const now = after.split('\n');
  const { start, end, ...count } = commonEnds(old, now);
  if (count.added + count.removed > maxReplaced) {
    return { ...count, lines: [], cut: true, starts: [] };
  }
  const first = Math.max(0, start - context) + 1;
  const changedEnd = now.length - end;
  const lines = [
    ...asLines('same', now.slice(first - 1, start)),
    ...asLines('removed', old.slice(start, old.length - end)),
    ...asLines('added', now.slice(start, changedEnd)),
    ...asLines('same', now.slice(changedEnd, changedEnd + context)),
  ];
  return { ...count, ...bounded(lines, bounds), starts: [{ old: first, new: first }] };
}

function asLines(type: DrawnDiffLine['type'], texts: readonly string[]): DrawnDiffLine[] {
  return texts.map((text) => ({ type, text }));
}

function getCount(lines: readonly DrawnDiffLine[]): Pick<Lines, 'added' | 'removed'> {
  const count = { same: 0, added: 0, removed: 0, gap: 0 };
  for (const { type } of lines) {
    count[type] += 1;
  }
  return { added: count.added, removed: count.removed };
}

function bounded(
  all: readonly DrawnDiffLine[],
  { lines: most, lineLength }: DiffBounds,
): Pick<Lines, 'lines' | 'cut'> {
  return {
    lines: all.slice(0, most).map(({ type, text }) => ({ type, text: text.slice(0, lineLength) })),
    cut: all.length > most || all.some(({ text }) => text.length > lineLength),
  };
}
