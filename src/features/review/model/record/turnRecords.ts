import type {
  TurnReview,
  TurnStart,
  UncertainTurn,
  UnrecordedTurn,
} from '../../../../model/changes/reviews';
import type { UncertainFile } from '../review';
import type { FileAfter, TurnLine } from './journalLines';

/** What a turn did to a file. */
export interface TurnFile {
  added: number;
  removed: number;
  isPending: boolean;
  isKept: boolean;
  isUndone: boolean;
}

export interface TurnRecord {
  line: TurnLine;
  readonly files: Map<string, TurnFile>;
}

/** The turns of a session: what each of them changed, and what was decided about that. */
export class TurnRecords {
  readonly #turns: Map<number, TurnRecord>;

  constructor(turns: readonly TurnRecord[] = []) {
    this.#turns = new Map(turns.map((turn) => [turn.line.turn, turn]));
  }

  get all(): readonly TurnRecord[] {
    return [...this.#turns.values()];
  }

  get reviews(): readonly TurnReview[] {
    return this.#started().flatMap(([turn, start]) =>
      turn.files.size === 0 ? [] : [getReview(turn, start)],
    );
  }

  get unrecorded(): readonly UnrecordedTurn[] {
    return this.#started().flatMap(([{ files, line }, start]) => {
      const { incomplete } = line;
      return files.size > 0 || incomplete === undefined ? [] : [{ ...start, incomplete }];
    });
  }

  /** The turns of these files. */
  uncertainIn(files: readonly UncertainFile[]): readonly UncertainTurn[] {
    return files.length === 0
      ? []
      : this.#started().flatMap(([, start]) => {
          const count = files.filter(({ turns }) => turns.includes(start.turn)).length;
          return count === 0 ? [] : [{ ...start, files: count }];
        });
  }

  /** The turns that changed nothing, as far as the record tells. */
  get quiet(): readonly TurnStart[] {
    return this.#started().flatMap(([{ files, line }, start]) =>
      files.size === 0 && line.isOver && line.incomplete === undefined ? [start] : [],
    );
  }

  get last(): number {
    return Math.max(0, ...this.#turns.keys());
  }

  /** The last turn, if its end isn't recorded. */
  get open(): TurnLine | undefined {
    const line = this.#turns.get(this.last)?.line;
    return line?.isOver === true ? undefined : line;
  }

  /** A turn has begun, or more is known about it. */
  tell(line: TurnLine): void {
    this.#getTurn(line.turn).line = line;
  }

  /** The turn has changed these lines of a file. */
  add(
    turn: number,
    file: string,
    { own, isPending }: { readonly own: readonly [number, number]; readonly isPending: boolean },
  ): void {
    const inTurn = this.#fileIn(turn, file);
    inTurn.added += own[0];
    inTurn.removed += own[1];
    inTurn.isPending = isPending;
    inTurn.isUndone = !isPending;
  }

  /** Something was decided about what these turns did to a file. */
  decide(turns: readonly number[], file: string, kind: 'isKept' | 'isUndone'): void {
    for (const turn of turns) {
      const inTurn = this.#find(turn, file);
      if (inTurn !== undefined) {
        inTurn[kind] = true;
      }
    }
  }

  /** An undo is taken back: what these turns did is there again. */
  bringBack(turns: readonly number[], file: string): void {
    for (const turn of turns) {
      const inTurn = this.#find(turn, file);
      if (inTurn !== undefined) {
        inTurn.isUndone = false;
      }
    }
  }

  /** Notes the turns of a file that aren't pending any more as decided. */
  settle(after: FileAfter, turns: readonly number[], kind: 'isKept' | 'isUndone'): void {
    for (const turn of turnsWithout(turns, after.turns)) {
      const inTurn = this.#find(turn, after.file);
      if (inTurn !== undefined) {
        inTurn.isPending = false;
        inTurn[kind] = true;
      }
    }
    // The others are marked already.
    for (const turn of turnsWithout(after.turns, turns)) {
      const inTurn = this.#find(turn, after.file);
      if (inTurn !== undefined) {
        inTurn.isPending = true;
      }
    }
  }

  /** What these turns did to a file goes with it. */
  move(from: string, to: string, turns: readonly number[]): void {
    for (const turn of turns) {
      const files = this.#turns.get(turn)?.files;
      const inTurn = files?.get(from);
      if (files !== undefined && inTurn !== undefined) {
        files.delete(from);
        files.set(to, inTurn);
      }
    }
  }

  /** All turns, ascending, with what finds them in a transcript. */
  #started(): readonly (readonly [TurnRecord, TurnStart])[] {
    let unpromptedBefore = 0;
    const ascending = [...this.#turns.values()].sort((a, b) => a.line.turn - b.line.turn);
    return ascending.map((record) => {
      const { turn, prompt, isUnprompted, began } = record.line;
      const start: TurnStart = {
        ...{ turn, prompt, began },
        ...(isUnprompted && { isUnprompted }),
        ...(unpromptedBefore > 0 && { unpromptedBefore }),
      };
      unpromptedBefore += isUnprompted ? 1 : 0;
      return [record, start] as const;
    });
  }

  #find(turn: number, file: string): TurnFile | undefined {
    return this.#turns.get(turn)?.files.get(file);
  }

  #fileIn(turn: number, file: string): TurnFile {
    const { files } = this.#getTurn(turn);
    const found = files.get(file);
    if (found !== undefined) {
      return found;
    }
    const added = { added: 0, removed: 0, isPending: true, isKept: false, isUndone: false };
    files.set(file, added);
    return added;
  }

  #getTurn(turn: number): TurnRecord {
    const found = this.#turns.get(turn) ?? {
      line: { type: 'turn', turn, prompt: '', began: 0, pid: 0, isOver: true },
      files: new Map(),
    };
    this.#turns.set(turn, found);
    return found;
  }
}

/** The turns that the others don't have; mostly both begin with the same ones. */
function turnsWithout(turns: readonly number[], others: readonly number[]): readonly number[] {
  const first = turns.findIndex((turn, at) => turn !== others[at]);
  if (first === -1) {
    return [];
  }
  const left = new Set(others.slice(first));
  return turns.slice(first).filter((turn) => !left.has(turn));
}

function getReview({ line, files }: TurnRecord, start: TurnStart): TurnReview {
  const { incomplete, isLate } = line;
  const all = [...files.values()];
  return {
    ...start,
    files: [...files.keys()].sort(),
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
    state: getState(all),
    ...(incomplete !== undefined && { incomplete }),
    ...(isLate && { isLate }),
  };
}

function getState(files: readonly TurnFile[]): TurnReview['state'] {
  const isAnyPending = files.some((file) => file.isPending);
  const isAnyKept = files.some(({ isKept }) => isKept);
  const isAnyUndone = files.some((file) => file.isUndone || (!file.isKept && !file.isPending));
  if (isAnyPending) {
    return isAnyKept || isAnyUndone ? 'partly' : 'pending';
  }
  if (isAnyKept && isAnyUndone) {
    return 'partly';
  }
  return isAnyKept ? 'kept' : 'undone';
}
