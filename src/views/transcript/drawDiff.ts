import { structuredPatch } from 'diff';
import type { Diff } from '../../shared/content';
import type { DrawnDiff, DrawnDiffLine } from '../../shared/drawn';

type Lines = Pick<DrawnDiff, 'added' | 'removed' | 'lines' | 'cut'>;

/** What is shown at most; the whole opens in VS Code's diff editor. */
export interface DiffBounds {
  readonly lines: number;
  readonly lineLength: number;
  /** A diff is compared once, however often its row is drawn. */
  readonly compared: WeakMap<Diff, Lines>;
}

/** As a row of the transcript shows a change. */
export const rowDiff: DiffBounds = { lines: 200, lineLength: 1000, compared: new WeakMap() };
/** As a person is shown a change to decide about. */
export const wholeDiff: DiffBounds = { lines: 3000, lineLength: 20_000, compared: new WeakMap() };

/** Beyond these a comparison costs more than a row is worth. */
const maxCharacters = 1_000_000;
const maxEdits = 1000;
const maxTime = 100;

/** The hunks of a diff, bounded. `label` is the short form of its path. */
export function drawDiff(diff: Diff, label: string, bounds: DiffBounds): DrawnDiff {
  let lines = bounds.compared.get(diff);
  if (lines === undefined) {
    lines = compare(diff.oldText ?? '', diff.newText, bounds);
    bounds.compared.set(diff, lines);
  }
  return { type: 'diff', path: diff.path, label, isNew: diff.oldText === null, ...lines };
}

function compare(before: string, after: string, { lines: most, lineLength }: DiffBounds): Lines {
  const hunks = before.length + after.length > maxCharacters ? undefined : hunksOf(before, after);
  if (hunks === undefined) {
    return { ...countChanged(before, after), lines: [], cut: true };
  }
  const lines: DrawnDiffLine[] = [];
  let added = 0;
  let removed = 0;
  let isShortened = false;
  for (const hunk of hunks) {
    if (lines.length > 0) {
      lines.push({ type: 'gap', text: '' });
    }
    for (const line of hunk.lines) {
      const type = lineTypes[line.charAt(0)];
      added += type === 'added' ? 1 : 0;
      removed += type === 'removed' ? 1 : 0;
      // Without a type it is jsdiff's remark about a missing line end.
      if (type !== undefined) {
        lines.push({ type, text: line.slice(1, lineLength + 1) });
        isShortened ||= line.length > lineLength + 1;
      }
    }
  }
  return {
    added,
    removed,
    lines: lines.slice(0, most),
    cut: isShortened || lines.length > most,
  };
}

function hunksOf(
  before: string,
  after: string,
): readonly { readonly lines: readonly string[] }[] | undefined {
  if (before === '') {
    // Nothing to compare, however long it is.
    const lines = after.replace(/\n$/, '').split('\n');
    return after === '' ? [] : [{ lines: lines.map((line) => `+${line}`) }];
  }
  return structuredPatch('', '', before, after, '', '', {
    context: 3,
    maxEditLength: maxEdits,
    timeout: maxTime,
  })?.hunks;
}

const lineTypes: Readonly<Record<string, DrawnDiffLine['type']>> = {
  ' ': 'same',
  '+': 'added',
  '-': 'removed',
};

/** Upper bounds for texts that aren't compared: the lines between their common start and end. */
function countChanged(before: string, after: string): { added: number; removed: number } {
  const old = before.split('\n');
  const now = after.split('\n');
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  return { added: now.length - start - end, removed: old.length - start - end };
}
