import type { FileState } from './fileState';
import {
  type ChangedFile,
  type DecidedFile,
  type FileAfter,
  type HeadLine,
  type IntentLine,
  type JournalLine,
  journalBounds,
  type StepBy,
  type StepFile,
  type StepLine,
  type TurnLine,
} from './journalLines';
import type { PendingFile, TurnReview } from './review';
import { absent, isSameState } from './stateText';

/** A change in the past of a file. */
export interface PastStep {
  readonly by: StepBy;
  readonly turn: number;
  /** Its path before the change, and after it. */
  readonly from: string;
  readonly to: string;
  readonly before: FileState;
  readonly after: FileState;
}

export interface FileRecord extends FileAfter {
  /** Only ever appended to. */
  readonly steps: PastStep[];
}

interface TurnFile {
  added: number;
  removed: number;
  isPending: boolean;
  isKept: boolean;
  isUndone: boolean;
}

interface TurnRecord {
  line: TurnLine;
  readonly files: Map<string, TurnFile>;
}

/** What the lines of a journal amount to. */
export class RecordState {
  head: HeadLine | undefined;
  readonly files = new Map<string, FileRecord>();
  readonly #turns = new Map<number, TurnRecord>();
  /** Decisions whose end isn't recorded, by id. */
  readonly open = new Map<string, IntentLine>();
  /** When something last changed, in ms since the epoch. */
  changedAt = 0;
  /** The parts of the last restoration, while nothing has undone it. */
  #restored: readonly ChangedFile[] = [];
  #restoredGroup: string | undefined;
  #pending: readonly PendingFile[] | undefined;
  #reviews: readonly TurnReview[] | undefined;

  get pending(): readonly PendingFile[] {
    this.#pending ??= [...this.files.values()]
      .filter(isPending)
      .map(pendingOf)
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    return this.#pending;
  }

  get turns(): readonly TurnReview[] {
    this.#reviews ??= [...this.#turns.values()]
      .filter(({ files }) => files.size > 0)
      .map(reviewOf)
      .sort((a, b) => a.turn - b.turn);
    return this.#reviews;
  }

  get lastTurn(): number {
    return Math.max(0, ...this.#turns.keys());
  }

  /** The changes of the last restoration; none if it was undone. */
  get restored(): readonly ChangedFile[] {
    return this.#restored;
  }

  apply(line: JournalLine): void {
    switch (line.type) {
      case 'record':
        this.head ??= line;
        break;
      case 'turn':
        this.#turnOf(line.turn).line = line;
        break;
      case 'step':
        this.#applyStep(line);
        break;
      case 'keep':
        this.changedAt = line.at;
        for (const file of line.files) {
          this.#decide(file, 'isKept');
        }
        break;
      case 'intent':
        if (this.open.size < mostOpen) {
          this.open.set(line.id, line);
        }
        break;
      case 'done':
        this.#complete(line.id, line.changed);
        break;
    }
    this.#pending = undefined;
    this.#reviews = undefined;
  }

  #applyStep({ by, turn, at, files }: StepLine): void {
    this.changedAt = at;
    for (const file of files) {
      this.#applyChange(file, by, turn);
    }
  }

  #applyChange(file: StepFile, by: StepBy, turn: number): void {
    const from = file.source ?? file.file;
    const old = this.files.get(from);
    if (old === undefined && this.files.size >= journalBounds.files) {
      return;
    }
    if (file.source !== undefined) {
      this.files.delete(file.source);
      this.#moveTurns(file.source, file.file, old?.turns ?? []);
    }
    const { before, seen: after } = file;
    const step = { by, turn, from, to: file.file, before, after };
    const steps = old?.steps ?? [];
    steps.push(step);
    this.#settle(file, old?.turns ?? [], 'isUndone');
    this.files.set(file.file, { ...afterOf(file), steps });
    if (by === 'agent') {
      const inTurn = this.#fileIn(turn, file.file);
      inTurn.added += file.own[0];
      inTurn.removed += file.own[1];
      inTurn.isPending = file.turns.includes(turn);
      inTurn.isUndone = !inTurn.isPending;
    }
  }

  /** A decision about a file that has changed since doesn't count. */
  #decide(file: DecidedFile, kind: 'isKept' | 'isUndone'): boolean {
    const old = this.files.get(file.file);
    const [seen, base] = file.was;
    const isKnown =
      old === undefined
        ? isSameState(seen, absent) && isSameState(base, absent)
        : matches(old.seen, seen) && matches(old.base, base);
    if (!isKnown) {
      return false;
    }
    for (const turn of file.of) {
      const inTurn = this.#turns.get(turn)?.files.get(file.file);
      if (inTurn !== undefined) {
        inTurn[kind] = true;
      }
    }
    this.#settle(file, old?.turns ?? [], kind);
    this.files.set(file.file, { ...afterOf(file), steps: old?.steps ?? [] });
    return true;
  }

  #complete(id: string, changed: readonly number[]): void {
    const intent = this.open.get(id);
    if (intent === undefined) {
      return;
    }
    this.open.delete(id);
    this.changedAt = intent.at;
    const files = changed.map((index) => intent.files[index]).filter((file) => file !== undefined);
    for (const file of files) {
      // Also if it doesn't count any more: this is what the file became.
      if (!this.#decide(file, 'isUndone')) {
        this.#overtaken(file);
      }
    }
    if (intent.what === 'restore') {
      const isSame = this.#restoredGroup === intent.group;
      this.#restored = isSame ? [...this.#restored, ...files] : files;
      this.#restoredGroup = intent.group;
    } else if (intent.what === 'unrestore') {
      const undone = new Set(files.map(({ file }) => file));
      for (const { file, of } of files) {
        this.#isBack(file, of);
      }
      this.#restored = this.#restored.filter(({ file }) => !undone.has(file));
    }
    for (const { file } of files) {
      this.#forgetIfGone(file);
    }
  }

  /** Undo Restore: what these turns did is there again. */
  #isBack(file: string, turns: readonly number[]): void {
    for (const turn of turns) {
      const inTurn = this.#turns.get(turn)?.files.get(file);
      if (inTurn !== undefined) {
        inTurn.isUndone = false;
      }
    }
  }

  #overtaken(file: ChangedFile): void {
    const old = this.files.get(file.file);
    if (old !== undefined) {
      this.files.set(file.file, { ...old, seen: file.to });
    }
  }

  /** A path that a file came from or went to, with no history of its own. */
  #forgetIfGone(file: string): void {
    const record = this.files.get(file);
    if (record?.steps.length === 0 && record.seen.kind === 'absent') {
      this.files.delete(file);
    }
  }

  /** Those turns of a file that aren't pending any more were decided. */
  #settle(after: FileAfter, turns: readonly number[], kind: 'isKept' | 'isUndone'): void {
    const pending = new Set(after.turns);
    for (const turn of turns) {
      const inTurn = this.#turns.get(turn)?.files.get(after.file);
      if (inTurn !== undefined && !pending.has(turn)) {
        inTurn.isPending = false;
        inTurn[kind] = true;
      }
    }
    for (const turn of after.turns) {
      const inTurn = this.#turns.get(turn)?.files.get(after.file);
      if (inTurn !== undefined) {
        inTurn.isPending = true;
      }
    }
  }

  #moveTurns(from: string, to: string, pending: readonly number[]): void {
    for (const turn of pending) {
      const files = this.#turns.get(turn)?.files;
      const inTurn = files?.get(from);
      if (files !== undefined && inTurn !== undefined) {
        files.delete(from);
        files.set(to, inTurn);
      }
    }
  }

  #fileIn(turn: number, file: string): TurnFile {
    const { files } = this.#turnOf(turn);
    const found = files.get(file) ?? {
      ...{ added: 0, removed: 0, isPending: true, isKept: false, isUndone: false },
    };
    files.set(file, found);
    return found;
  }

  #turnOf(turn: number): TurnRecord {
    const found = this.#turns.get(turn) ?? {
      line: { type: 'turn', turn, prompt: '', began: 0 },
      files: new Map(),
    };
    this.#turns.set(turn, found);
    return found;
  }
}

const mostOpen = 1_000;

function afterOf(file: FileAfter): FileAfter {
  const { seen, base, form, added, removed, turns, isMixed, isOutside, movedFrom } = file;
  return {
    ...{ file: file.file, seen, base, form, added, removed, turns },
    ...(isMixed && { isMixed }),
    ...(isOutside && { isOutside }),
    ...(movedFrom !== undefined && { movedFrom }),
  };
}

/** Like `isSameState`, but what isn't kept can only be compared by its reason. */
export function matches(one: FileState, other: FileState): boolean {
  return one.kind === 'unkept' ? other.kind === 'unkept' : isSameState(one, other);
}

export function isPending({ turns }: FileAfter): boolean {
  return turns.length > 0;
}

function pendingOf(record: FileRecord): PendingFile {
  const { file, movedFrom, turns, added, removed, form } = record;
  return {
    ...{ file, kind: kindOf(record), turns, added, removed, form },
    ...(movedFrom !== undefined && { movedFrom }),
    isMixed: record.isMixed === true,
    isOutside: record.isOutside === true,
  };
}

function kindOf({ movedFrom, base, seen }: FileAfter): PendingFile['kind'] {
  if (movedFrom !== undefined) {
    return 'moved';
  }
  if (base.kind === 'absent') {
    return 'added';
  }
  return seen.kind === 'absent' ? 'deleted' : 'modified';
}

function reviewOf({ line, files }: TurnRecord): TurnReview {
  const { turn, prompt, began, incomplete, isLate } = line;
  const all = [...files.values()];
  return {
    ...{ turn, prompt, began },
    files: [...files.keys()].sort(),
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
    state: stateOf(all),
    ...(incomplete !== undefined && { incomplete }),
    ...(isLate && { isLate }),
  };
}

function stateOf(files: readonly TurnFile[]): TurnReview['state'] {
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
