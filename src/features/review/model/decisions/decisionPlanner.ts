import { absent, type FileState, isSameState } from '../record/fileState';
import type { ChangedFile, DecidedFile } from '../record/journalLines';
import type { FileRecord } from '../record/recordState';
import type { SessionRecord } from '../record/sessionRecord';
import type { Hunk, LeftAlone, LineRange, Selection } from '../review';
import { apply, hunksBetween, linesIn, rangeNow, revert, touches } from './lines';
import { withoutTurns, withTurns } from './withoutTurns';

/** Maximum number of turns of a file for which it is worked out which remain after a decision. */
const maxTurns = 8;

/** What a decision makes of one file. */
export interface PlannedDecision<T> {
  /** The file, or both paths of a moved one; empty if the selection has nothing of it. */
  readonly files: readonly T[];
  /** Why the file stays as it is. */
  readonly left?: LeftAlone['reason'];
}

const nothing: PlannedDecision<never> = { files: [] };

/** The text that the user sees, and what of it is on the disk. */
export interface SeenText {
  readonly shown: string;
  readonly stored: string;
}

/** Plans what keeping or undoing makes of a file; changes nothing. */
export class DecisionPlanner {
  readonly #record: SessionRecord;

  constructor(record: SessionRecord) {
    this.#record = record;
  }

  async planKeep(
    file: FileRecord,
    selection: Selection,
    text: SeenText | undefined,
  ): Promise<PlannedDecision<DecidedFile>> {
    const { seen, base } = file;
    if (isWhole(file, selection)) {
      return { files: [await this.#decided(file, { seen, base: seen, isMoved: false })] };
    }
    if (selection.type === 'turn') {
      const kept = await withTurns(this.#record.contents, file, getTurn(selection.turn));
      if (isSameState(kept.state, base)) {
        return nothing;
      }
      // What is still pending of its lines is what later turns made of them.
      const others = file.turns.filter((turn) => turn !== selection.turn);
      const after = kept.conflicts === 0 ? { ...file, turns: others } : file;
      return {
        files: [await this.#decided(after, { seen, base: kept.state, of: [selection.turn] })],
      };
    }
    const chosen = await this.#chosen(file, selection, text);
    if (chosen === undefined) {
      return { ...nothing, left: 'changedSince' };
    }
    if (chosen.hunks.length === 0) {
      return nothing;
    }
    const { before, now, hunks } = chosen;
    const after = apply(before, now, hunks).join('');
    const state = hunks.length === chosen.all ? seen : await this.#getState(file, after, seen);
    const of = await this.#turnsAt(file, now, hunks);
    return { files: [await this.#decided(file, { seen, base: state, of })] };
  }

  async planUndo(
    file: FileRecord,
    selection: Selection,
    text: SeenText | undefined,
  ): Promise<PlannedDecision<ChangedFile>> {
    const { seen, base } = file;
    const left = this.#mustLeave(file, selection);
    if (left !== undefined) {
      return { ...nothing, left };
    }
    if (isWhole(file, selection)) {
      return { files: await this.#planWholeUndo(file) };
    }
    if (selection.type === 'turn') {
      const { state, conflicts } = await withoutTurns(
        this.#record.contents,
        file,
        getTurn(selection.turn),
      );
      if (isSameState(state, seen)) {
        return conflicts > 0 ? { ...nothing, left: 'overlaid' } : nothing;
      }
      return { files: [await this.#changed(file, { seen: state, base, of: [selection.turn] })] };
    }
    const chosen = await this.#chosen(file, selection, text);
    if (chosen === undefined) {
      return { ...nothing, left: 'changedSince' };
    }
    if (chosen.hunks.length === 0) {
      return nothing;
    }
    const { before, now, hunks } = chosen;
    const after = revert(before, now, hunks).join('');
    const isAll = hunks.length === chosen.all && file.movedFrom === undefined;
    const state = isAll ? base : await this.#getState(file, after, seen);
    const of = await this.#turnsAt(file, now, hunks);
    return { files: [await this.#changed(file, { seen: state, base, of })] };
  }

  /** The turns among these whose changes still show. */
  async findRemaining(file: FileRecord, turns: readonly number[]): Promise<readonly number[]> {
    if (turns.length <= 1 || turns.length > maxTurns || file.movedFrom !== undefined) {
      return turns;
    }
    const left: number[] = [];
    for (const turn of turns) {
      // With another turn beside it, none is taken for all that is pending.
      const all = { ...file, turns: [...turns, Number.MAX_SAFE_INTEGER] };
      const { state, conflicts } = await withoutTurns(this.#record.contents, all, getTurn(turn));
      if (conflicts > 0 || !isSameState(state, file.seen)) {
        left.push(turn);
      }
    }
    return left.length > 0 ? left : turns;
  }

  #mustLeave(file: FileRecord, { type }: Selection): LeftAlone['reason'] | undefined {
    if (file.isOutside) {
      return 'outside';
    }
    if (file.form === 'unkept') {
      return 'unkept';
    }
    // Whoever names the file or its lines has been asked.
    return file.isMixed && (type === 'all' || type === 'turn') ? 'mixed' : undefined;
  }

  /** Plans to undo all of a file; a moved one goes back to its path. */
  async #planWholeUndo(file: FileRecord): Promise<readonly ChangedFile[]> {
    const { seen, base, movedFrom, turns } = file;
    if (movedFrom === undefined) {
      return [await this.#changed(file, { seen: base, base })];
    }
    const gone = await this.#changed(file, { seen: absent, base: absent, isMoved: false });
    const there = this.#record.state.files.get(movedFrom);
    const was = [there?.seen ?? absent, there?.base ?? absent] as const;
    const from = { file: movedFrom, seen: base, base, turns: [], isMixed: false, isOutside: false };
    const back = await this.#record.describe({ ...from, movedFrom: undefined });
    return [
      { ...back, was, of: [], from: absent, to: base },
      { ...gone, from: seen, to: absent, of: turns, goesTo: movedFrom },
    ];
  }

  async #changed(file: FileRecord, after: After): Promise<ChangedFile> {
    return { ...(await this.#decided(file, after)), from: file.seen, to: after.seen };
  }

  async #decided(file: FileRecord, { seen, base, of, isMoved }: After): Promise<DecidedFile> {
    const movedFrom = isMoved === false ? undefined : file.movedFrom;
    const after = { ...file, seen, base };
    const turns = of === undefined ? [] : await this.findRemaining(after, file.turns);
    const described = await this.#record.describe({
      ...{ file: file.file, seen, base, turns, movedFrom },
      isMixed: file.isMixed === true,
      isOutside: file.isOutside === true,
    });
    return { ...described, was: [file.seen, file.base], of: of ?? file.turns };
  }

  #getState({ file }: FileRecord, text: string, like: FileState): Promise<FileState> {
    return this.#record.contents.addText(file, text, like);
  }

  /** The hunks at these lines of what the user sees, in the text as it is on the disk. */
  async #chosen(
    file: FileRecord,
    selection: Selection,
    text: SeenText | undefined,
  ): Promise<Chosen | undefined> {
    const before = await this.#record.contents.lines(file.file, file.base);
    if (selection.type !== 'lines' || text === undefined || before === undefined) {
      return undefined;
    }
    const now = linesIn(text.stored);
    const unsaved = text.shown === text.stored ? [] : hunksBetween(linesIn(text.shown), now);
    const lines = selection.lines.map((range) => rangeNow(unsaved, range));
    const all = hunksBetween(before, now);
    const hunks = all.filter((hunk) => lines.some((range) => touches(range, hunk.now)));
    return { before, now, hunks, all: all.length };
  }

  /** The turns that made these hunks. */
  async #turnsAt(
    file: FileRecord,
    now: readonly string[],
    hunks: readonly Hunk[],
  ): Promise<readonly number[]> {
    const { turns } = file;
    if (turns.length <= 1 || turns.length > maxTurns) {
      return turns;
    }
    const { contents } = this.#record;
    const found: number[] = [];
    for (const turn of turns) {
      const { state } = await withoutTurns(contents, file, getTurn(turn));
      const wanted = (await contents.lines(file.file, state)) ?? [];
      const ranges: readonly LineRange[] = hunksBetween(wanted, now).map((hunk) => hunk.now);
      if (ranges.some((range) => hunks.some((hunk) => touches(hunk.now, range)))) {
        found.push(turn);
      }
    }
    return found.length > 0 ? found : turns;
  }
}

interface After {
  readonly seen: FileState;
  readonly base: FileState;
  /** The turns that are decided about in part; without them, all of it is. */
  readonly of?: readonly number[];
  readonly isMoved?: boolean;
}

interface Chosen {
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly hunks: readonly Hunk[];
  readonly all: number;
}

function getTurn(turn: number): { readonly from: number; readonly to: number } {
  return { from: turn, to: turn };
}

function isWhole({ turns }: FileRecord, selection: Selection): boolean {
  switch (selection.type) {
    case 'all':
    case 'files':
      return true;
    case 'turn':
      return turns.length === 1 && turns[0] === selection.turn;
    case 'lines':
    case 'uncertain':
      return false;
  }
}
