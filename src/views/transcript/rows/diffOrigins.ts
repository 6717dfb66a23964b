import { type Diff, diffsIn } from '../../../shared/transcript/content';
import type { LineNumbers } from '../../../shared/transcript/drawn';
import type { ToolCallEntry } from '../../../shared/transcript/entries';

/** The line numbers for texts that are whole files. */
export const wholeFile: Required<LineNumbers> = { old: 1, new: 1 };

const none: ReadonlyMap<Diff, LineNumbers> = new Map();

/**
 * The lines in their files where the texts of a call's changes start, if that is certain: most agents send
 * fragments without their position. Agents that report one line for each change of a file mean its first line.
 */
export function diffOrigins({ content, locations }: ToolCallEntry): ReadonlyMap<Diff, LineNumbers> {
  const byPath = grouped(diffsIn(content), (diff) => [diff.path, diff]);
  if (byPath.size === 0) {
    return none;
  }
  const placed = locations.filter(({ path }) => byPath.has(path));
  const lines = grouped(placed, ({ path, line }) => [path, line]);
  const origins = new Map<Diff, LineNumbers>();
  for (const [path, diffs] of byPath) {
    const known = (lines.get(path) ?? []).filter((line) => line !== undefined);
    const [only] = diffs;
    if (known.length === diffs.length && isAscending(known) && !mayBeWhole(diffs, known)) {
      addFragments(origins, diffs, known);
    } else if (known.length === 0 && diffs.length === 1 && only?.oldText === null) {
      origins.set(only, wholeFile);
    }
  }
  return origins;
}

function grouped<T, Value>(
  items: readonly T[],
  getEntry: (item: T) => readonly [string, Value],
): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const item of items) {
    const [key, value] = getEntry(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [value]);
    } else {
      group.push(value);
    }
  }
  return groups;
}

/** Whether the line may just as well be the one of the first difference within a whole file. */
function mayBeWhole([diff, ...others]: readonly Diff[], [line = 1]: readonly number[]): boolean {
  if (diff === undefined || others.length > 0 || line === 1) {
    return false;
  }
  const before = getLines(diff.oldText ?? '');
  const after = getLines(diff.newText);
  return after.findIndex((text, at) => text !== before[at]) + 1 === line;
}

/** The lines refer to the changed file; before the change, there were fewer or more lines above. */
function addFragments(
  origins: Map<Diff, LineNumbers>,
  diffs: readonly Diff[],
  lines: readonly number[],
): void {
  let grown = 0;
  for (const [at, diff] of diffs.entries()) {
    const line = lines[at] ?? 1;
    origins.set(diff, { old: line - grown, new: line });
    grown += getLines(diff.newText).length - getLines(diff.oldText ?? '').length;
  }
}

function isAscending(lines: readonly number[]): boolean {
  return lines.every((line, at) => line >= 1 && line > (lines[at - 1] ?? 0));
}

function getLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
