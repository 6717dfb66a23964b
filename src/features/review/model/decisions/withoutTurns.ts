import type { Contents, MergedState } from '../record/contents';
import type { FileState } from '../record/fileState';
import type { FileRecord, PastStep } from '../record/recordState';
import { apply, hunksBetween, revert, touches } from './lines';

/** Turns, both included. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** What these turns did to a file, with the user's edits in between on both sides. */
export interface TurnsChange {
  readonly before: FileState;
  readonly after: FileState;
  /** The path before them. */
  readonly path: string;
  readonly conflicts: number;
}

/**
 * Folds a file's steps from the first of these turns to the last step of them, or of all: the
 * agent's are skipped, and everyone else's are merged. `undefined` if the turns didn't change it.
 */
export async function findChange(
  contents: Contents,
  { file, steps }: FileRecord,
  turns: TurnRange,
  until: 'lastOfThem' | 'now',
): Promise<TurnsChange | undefined> {
  const isOne = ({ by, turn }: PastStep): boolean =>
    by === 'agent' && turns.from <= turn && turn <= turns.to;
  const first = steps.findIndex(isOne);
  const last = until === 'now' ? steps.length - 1 : steps.findLastIndex(isOne);
  const [start, end] = [steps[first], steps[last]];
  if (start === undefined || end === undefined) {
    return undefined;
  }
  let [before, path, conflicts] = [start.before, start.from, 0];
  for (const step of steps.slice(first + 1, last + 1)) {
    if (step.by !== 'agent') {
      const merged = await withStep(contents, file, before, step);
      before = merged.state;
      path = step.from === step.to ? path : step.to;
      conflicts += merged.conflicts;
    }
  }
  return { before, after: end.after, path, conflicts };
}

/** Whoever creates or deletes a file decides about all of it. */
function withStep(
  contents: Contents,
  file: string,
  state: FileState,
  { before, after }: PastStep,
): Promise<MergedState> {
  return before.kind === 'absent' || after.kind === 'absent'
    ? Promise.resolve({ state: after, conflicts: 0 })
    : contents.merge(file, [before, state, after]);
}

/** The file as it is now without what is pending of these turns; later changes of the same lines stay. */
export async function withoutTurns(
  contents: Contents,
  record: FileRecord,
  turns: TurnRange,
): Promise<MergedState> {
  const { file, seen, base } = record;
  if (record.turns.every((turn) => turns.from <= turn && turn <= turns.to)) {
    return { state: base, conflicts: 0 };
  }
  const change = await findChange(contents, record, turns, 'lastOfThem');
  if (change === undefined || change.conflicts > 0) {
    return { state: seen, conflicts: change?.conflicts ?? 0 };
  }
  const merged = await contents.merge(file, [change.after, seen, change.before]);
  const { conflicts } = merged;
  const [now, wanted, old] = await Promise.all(
    [seen, merged.state, base].map((state) => contents.lines(file, state)),
  );
  if (now === undefined || wanted === undefined || old === undefined) {
    return { state: merged.state, conflicts };
  }
  const pending = hunksBetween(old, now);
  const all = hunksBetween(wanted, now);
  const own = all.filter((hunk) => pending.some((it) => touches(it.now, hunk.now)));
  const state =
    own.length === all.length
      ? merged.state
      : await contents.addText(file, revert(wanted, now, own).join(''), seen);
  return { state, conflicts };
}

/** The baseline with what is pending of these turns. */
export async function withTurns(
  contents: Contents,
  record: FileRecord,
  turns: TurnRange,
): Promise<MergedState> {
  const { file, seen, base } = record;
  if (record.turns.every((turn) => turns.from <= turn && turn <= turns.to)) {
    return { state: seen, conflicts: 0 };
  }
  const change = await findChange(contents, record, turns, 'lastOfThem');
  if (change === undefined) {
    return { state: base, conflicts: 0 };
  }
  const sides = [change.before, base, change.after] as const;
  const { state: kept } = await contents.merge(file, sides, 'theirs');
  const [now, wanted, old] = await Promise.all(
    [seen, kept, base].map((state) => contents.lines(file, state)),
  );
  if (now === undefined || wanted === undefined || old === undefined) {
    return { state: kept, conflicts: change.conflicts };
  }
  const pending = hunksBetween(old, now);
  const all = hunksBetween(old, wanted);
  const own = all.filter((hunk) => pending.some((it) => touches(it.before, hunk.before)));
  const state =
    own.length === all.length
      ? kept
      : await contents.addText(file, apply(old, wanted, own).join(''), kept);
  return { state, conflicts: change.conflicts };
}
