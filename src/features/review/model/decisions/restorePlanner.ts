import { absent, type FileState, isSameState } from '../record/fileState';
import type { ChangedFile } from '../record/journalLines';
import { type FileRecord, matches } from '../record/recordState';
import type { SessionRecord } from '../record/sessionRecord';
import type { LeftAlone, PlannedFile } from '../review';
import type { DecisionPlanner } from './decisionPlanner';
import { findChange } from './withoutTurns';

/** A file of a plan, or why it stays as it is. */
export type PlannedRestore =
  | { readonly shown: PlannedFile; readonly files: readonly ChangedFile[] }
  | { readonly left: LeftAlone['reason'] }
  | undefined;

/** Plans how files become what they were before a turn, or before a decision; changes nothing. */
export class RestorePlanner {
  readonly #record: SessionRecord;
  readonly #planner: DecisionPlanner;

  constructor(record: SessionRecord, planner: DecisionPlanner) {
    this.#record = record;
    this.#planner = planner;
  }

  /** The files that the agent changed in this turn or later. */
  findFiles(turn: number): readonly FileRecord[] {
    return [...this.#record.state.files.values()].filter(({ steps }) =>
      steps.some((step) => step.by === 'agent' && step.turn >= turn),
    );
  }

  async planRestore(file: FileRecord, turn: number): Promise<PlannedRestore> {
    const { contents } = this.#record;
    const since = { from: turn, to: Number.MAX_SAFE_INTEGER };
    const change = await findChange(contents, file, since, 'now');
    if (change === undefined) {
      return undefined;
    }
    const { before: wanted, path, conflicts } = change;
    if (isSameState(wanted, file.seen) && path === file.file) {
      return undefined;
    }
    if (conflicts > 0) {
      return { left: 'mixed' };
    }
    if (file.isOutside) {
      return { left: 'outside' };
    }
    if ([wanted, file.seen].some((state) => !isTouchable(state))) {
      return { left: 'unkept' };
    }
    const steps = file.steps.filter((step) => step.turn >= turn || step.by !== 'agent');
    const first = steps.findIndex(({ by }) => by === 'agent');
    const isMerged = steps.slice(first).some(({ by }) => by !== 'agent');
    const isMoved = path !== file.file && wanted.kind !== 'absent';
    const kind = isMoved ? 'moved' : getKind(file.seen, wanted);
    const text = await contents.text(path, wanted);
    const files = await this.#changes(file, { wanted, path, turn });
    const shown = isMoved
      ? { file: path, movedFrom: file.file, kind, text, isMerged }
      : { file: file.file, kind, text, isMerged };
    return { shown, files };
  }

  async #changes(
    file: FileRecord,
    { wanted, path, turn }: { wanted: FileState; path: string; turn: number },
  ): Promise<readonly ChangedFile[]> {
    const { seen, base } = file;
    const { contents, state } = this.#record;
    const merged = await contents.merge(file.file, [seen, base, wanted]);
    const earlier = file.turns.filter((it) => it < turn);
    const all = file.steps.filter(({ by }) => by === 'agent').map((step) => step.turn);
    const of = [...new Set(all)].filter((it) => it >= turn).sort((a, b) => a - b);
    const facts = { isMixed: file.isMixed === true, isOutside: false };
    const turns = isSameState(merged.state, wanted) ? [] : orLast(earlier, file.turns);
    const movedFrom = file.movedFrom === path ? undefined : file.movedFrom;
    const after = { ...facts, seen: wanted, base: merged.state, turns, movedFrom };
    if (path === file.file) {
      const described = await this.#record.describe({ ...after, file: path });
      return [{ ...described, was: [seen, base], of, from: seen, to: wanted }];
    }
    const there = state.files.get(path);
    const was = [there?.seen ?? absent, there?.base ?? absent] as const;
    const back = await this.#record.describe({ ...after, file: path });
    const nothing = { ...facts, seen: absent, base: absent, turns: [], movedFrom: undefined };
    const gone = await this.#record.describe({ ...nothing, file: file.file });
    return [
      { ...back, was, of: [], from: was[0], to: wanted },
      { ...gone, was: [seen, base], of, from: seen, to: absent, goesTo: path },
    ];
  }

  /** Plans how a file becomes what it was before it was restored, or its changes undone. */
  async planTakeBack(
    decided: ChangedFile,
  ): Promise<{ readonly file: ChangedFile } | { readonly left: LeftAlone['reason'] }> {
    const { contents, state } = this.#record;
    const file = state.files.get(decided.file);
    const now = file?.seen ?? absent;
    const { state: wanted, conflicts } = await contents.merge(decided.file, [
      decided.to,
      now,
      decided.from,
    ]);
    if (conflicts > 0) {
      return { left: 'mixed' };
    }
    const oldBase = file?.base ?? absent;
    const base = matches(oldBase, decided.base)
      ? decided.was[1]
      : (await contents.merge(decided.file, [decided.base, oldBase, decided.was[1]])).state;
    const firstPath = file?.steps.find(({ from, to }) => from !== to)?.from;
    const isMovedBack = firstPath !== decided.file && wanted.kind !== 'absent';
    const movedFrom = isMovedBack ? firstPath : undefined;
    const steps = file?.steps ?? [];
    const all = steps.filter(({ by }) => by === 'agent').map(({ turn }) => turn);
    const after = {
      ...{ file: decided.file, seen: wanted, base, steps, at: 0, form: 'text' as const },
      ...{ added: 0, removed: 0, turns: [...new Set(all)].sort((a, b) => a - b) },
      ...(movedFrom !== undefined && { movedFrom }),
    };
    const undone = [...new Set([...(file?.turns ?? []), ...decided.of])].sort((a, b) => a - b);
    const candidates = state.lastDecision?.what === 'undo' ? undone : after.turns;
    const turns =
      movedFrom === undefined && isSameState(base, wanted)
        ? []
        : await this.#planner.findRemaining(after, candidates);
    const described = await this.#record.describe({
      ...{ file: decided.file, seen: wanted, base, turns, isOutside: false, movedFrom },
      isMixed: file?.isMixed === true,
    });
    const was = [now, oldBase] as const;
    return { file: { ...described, was, of: decided.of, from: now, to: wanted } };
  }
}

function orLast(turns: readonly number[], all: readonly number[]): readonly number[] {
  return turns.length > 0 ? turns : all.slice(-1);
}

function isTouchable(state: FileState): boolean {
  return state.kind === 'absent' || (state.kind === 'file' && !state.isLink);
}

/** What happens to a file that becomes another one. */
export function getKind(now: FileState, wanted: FileState): PlannedFile['kind'] {
  if (wanted.kind === 'absent') {
    return 'deleted';
  }
  return now.kind === 'absent' ? 'added' : 'modified';
}
