import type {
  PendingFile,
  TurnReview,
  TurnStart,
  UncertainTurn,
  UnrecordedTurn,
} from '../../../../model/changes/reviews';
import type { LastDecision } from '../review';
import { absent, type FileState, isSameState } from './fileState';
import {
  type ChangedFile,
  type DecidedFile,
  type DoneLine,
  type Draft,
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
import { type TurnRecord, TurnRecords } from './turnRecords';
import { type UncertainChange, UncertainFiles } from './uncertainFiles';

/** A change in the past of a file. */
export interface PastStep {
  readonly by: StepBy;
  readonly turn: number;
  /** The file's path before the change, and after it. */
  readonly from: string;
  readonly to: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** A file, without its past. */
export interface SummedFile extends FileAfter {
  /** When this was recorded, in ms since the epoch. */
  readonly at: number;
  /** What the last step began with, if there is one. */
  readonly lastBefore?: FileState;
}

export interface FileRecord extends SummedFile {
  /** The steps, only ever appended to, without those that a summary stands for, until they are read. */
  readonly steps: PastStep[];
}

/** What the lines of a journal amount to, without the past of the files. */
export interface Summary {
  readonly head: HeadLine;
  readonly changedAt: number;
  readonly files: readonly SummedFile[];
  /** How often the record of each path has changed, also of those that are gone. */
  readonly revisions: ReadonlyMap<string, number>;
  readonly turns: readonly TurnRecord[];
  readonly lastChanges: LastChanges;
  readonly uncertain: readonly UncertainChange[];
}

/** The changes of the last decision that changed files, while nothing has taken it back. */
interface LastChanges {
  readonly by: 'undo' | 'restore';
  readonly group?: string;
  /** The time in ms since the epoch. */
  readonly at?: number;
  readonly files: readonly ChangedFile[];
}

/** What the lines of a journal amount to. */
export class RecordState {
  head: HeadLine | undefined;
  readonly files = new Map<string, FileRecord>();
  readonly #turns: TurnRecords;
  readonly #revisions: Map<string, number>;
  /** The steps of files whose past isn't read, by the paths in the summary. */
  #unread = new Map<string, PastStep[]>();
  /** Decisions whose end isn't recorded, by id. */
  readonly openDecisions = new Map<string, IntentLine>();
  readonly uncertain: UncertainFiles;
  /** When something last changed, in ms since the epoch. */
  changedAt: number;
  /** The changes of the last undo or restore; none if it was taken back. */
  lastChanges: LastChanges;
  #pending: readonly PendingFile[] | undefined;
  #reviews: readonly TurnReview[] | undefined;
  #unrecorded: readonly UnrecordedTurn[] | undefined;
  #quiet: readonly TurnStart[] | undefined;
  #uncertainTurns: readonly UncertainTurn[] | undefined;

  constructor(summary?: Summary) {
    this.head = summary?.head;
    this.changedAt = summary?.changedAt ?? 0;
    this.#turns = new TurnRecords(summary?.turns);
    this.#revisions = new Map(summary?.revisions);
    this.uncertain = new UncertainFiles(summary?.uncertain);
    this.lastChanges = summary?.lastChanges ?? { by: 'restore', files: [] };
    for (const file of summary?.files ?? []) {
      const steps: PastStep[] = [];
      this.files.set(file.file, { ...file, steps });
      this.#unread.set(file.file, steps);
    }
  }

  /** What the same state can be made of again; `undefined` while a decision isn't completed. */
  get summary(): Summary | undefined {
    const { head, changedAt, lastChanges } = this;
    return head === undefined || this.openDecisions.size > 0
      ? undefined
      : {
          ...{ head, changedAt, revisions: this.#revisions, lastChanges },
          files: [...this.files.values()],
          turns: this.#turns.all,
          uncertain: this.uncertain.all,
        };
  }

  /** Adds the past of the files, as it was when the summary was made. */
  addPast({ files }: Pick<RecordState, 'files'>): void {
    for (const [path, steps] of this.#unread) {
      const later = steps.splice(0);
      for (const step of [...(files.get(path)?.steps ?? []), ...later]) {
        steps.push(step);
      }
    }
    this.#unread.clear();
  }

  get pending(): readonly PendingFile[] {
    this.#pending ??= [...this.files.values()]
      .filter(isPending)
      .map(toPendingFile)
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    return this.#pending;
  }

  get turns(): readonly TurnReview[] {
    this.#reviews ??= this.#turns.reviews;
    return this.#reviews;
  }

  get unrecorded(): readonly UnrecordedTurn[] {
    this.#unrecorded ??= this.#turns.unrecorded;
    return this.#unrecorded;
  }

  get uncertainTurns(): readonly UncertainTurn[] {
    this.#uncertainTurns ??= this.#turns.uncertainIn(this.uncertain.shown);
    return this.#uncertainTurns;
  }

  get quietTurns(): readonly TurnStart[] {
    this.#quiet ??= this.#turns.quiet;
    return this.#quiet;
  }

  get lastTurn(): number {
    return this.#turns.last;
  }

  /** The last turn, if its end isn't recorded. */
  get openTurn(): TurnLine | undefined {
    return this.#turns.open;
  }

  /** The last undo or restore, while nothing has taken it back. */
  get lastDecision(): LastDecision | undefined {
    const { by, group = '', at = 0, files } = this.lastChanges;
    // A file that it moved was at two paths.
    const sources = new Set(files.map(({ goesTo }) => goesTo));
    const names = files.map(({ file }) => file).filter((file) => !sources.has(file));
    return files.length === 0 ? undefined : { what: by, id: group, at, files: names };
  }

  /** How often the record of a file has changed. */
  getRevision(file: string): number {
    return this.#revisions.get(file) ?? 0;
  }

  /** Whether a step was worked out from the file's record as it is now. */
  isCurrent({ file, source, revision }: StepFile): boolean {
    return this.getRevision(source ?? file) === revision;
  }

  /** A step must be worked out from the records as they are now, see `isCurrent`. */
  apply(line: JournalLine): void {
    switch (line.type) {
      case 'record':
        this.head ??= line;
        break;
      case 'turn':
        this.#turns.tell(line);
        break;
      case 'step':
        this.#applyStep(line);
        break;
      case 'keep':
        this.changedAt = line.at;
        for (const file of line.files) {
          this.#decide(file, 'isKept', line.at);
        }
        break;
      case 'intent':
        if (this.openDecisions.size < maxOpenDecisions) {
          this.openDecisions.set(line.id, line);
        }
        break;
      case 'done':
        this.#complete(line);
        break;
      case 'uncertain':
        this.changedAt = line.at;
        this.uncertain.tell(line);
        break;
      case 'settled':
        this.uncertain.settle(line);
        break;
    }
    this.#pending = undefined;
    this.#reviews = undefined;
    this.#unrecorded = undefined;
    this.#quiet = undefined;
    this.#uncertainTurns = undefined;
  }

  #applyStep({ by, turn, at, files }: StepLine): void {
    this.changedAt = at;
    for (const file of files) {
      this.#applyChange(file, { by, turn, at });
    }
  }

  #applyChange(file: StepFile, { by, turn, at }: Pick<StepLine, 'by' | 'turn' | 'at'>): void {
    const from = file.source ?? file.file;
    const old = this.files.get(from);
    if (old === undefined && this.files.size >= journalBounds.files) {
      return;
    }
    if (file.source !== undefined) {
      this.files.delete(file.source);
      this.#revise(file.source);
      this.#turns.move(file.source, file.file, old?.turns ?? []);
    }
    const { before, seen: after } = file;
    // Of equal paths, one is kept.
    const to = old?.file === file.file ? old.file : file.file;
    const step = { by, turn, from: old?.file ?? from, to, before, after };
    const steps = old?.steps ?? [];
    steps.push(step);
    this.#turns.settle(file, old?.turns ?? [], 'isUndone');
    this.#set(getRecord(file, { at, steps, lastBefore: before }));
    if (by === 'agent') {
      const { own, turns } = file;
      this.#turns.add(turn, file.file, { own, isPending: turns.includes(turn) });
    }
  }

  /** A decision about a file that has changed since doesn't count. */
  #decide(file: DecidedFile, kind: 'isKept' | 'isUndone', at: number): boolean {
    const old = this.files.get(file.file);
    const [seen, base] = file.was;
    const isKnown =
      old === undefined
        ? isSameState(seen, absent) && isSameState(base, absent)
        : matches(old.seen, seen) && matches(old.base, base);
    if (!isKnown) {
      return false;
    }
    this.#turns.decide(file.of, file.file, kind);
    this.#turns.settle(file, old?.turns ?? [], kind);
    this.#set(getRecord(file, { at, steps: old?.steps ?? [], lastBefore: old?.lastBefore }));
    return true;
  }

  #complete({ id, at, changed }: DoneLine): void {
    const intent = this.openDecisions.get(id);
    if (intent === undefined) {
      return;
    }
    this.openDecisions.delete(id);
    this.changedAt = at;
    const files = changed.map((index) => intent.files[index]).filter((file) => file !== undefined);
    for (const file of files) {
      // Even if the decision doesn't count any more: this is what the file became.
      if (!this.#decide(file, 'isUndone', at)) {
        this.#overtaken(file, at);
      }
    }
    const { what, group } = intent;
    const { lastChanges } = this;
    if (what !== 'unrestore' && files.length > 0) {
      const isSame = lastChanges.group === group;
      this.lastChanges = {
        by: what,
        group,
        at,
        files: isSame ? [...lastChanges.files, ...files] : files,
      };
    } else if (what === 'unrestore') {
      const undone = new Set(files.map(({ file }) => file));
      for (const { file, of } of files) {
        this.#turns.bringBack(of, file);
      }
      const left = lastChanges.files.filter(({ file }) => !undone.has(file));
      this.lastChanges = { ...lastChanges, files: left };
    }
    for (const { file } of files) {
      this.#forgetIfGone(file);
    }
  }

  #overtaken(file: ChangedFile, at: number): void {
    const old = this.files.get(file.file);
    if (old === undefined) {
      return;
    }
    const { lastBefore } = old;
    const isAsItWas = matches(old.seen, file.was[0]);
    // What began where the decision has ended came after it.
    const isNewer = !isAsItWas && lastBefore !== undefined && matches(lastBefore, file.to);
    this.#set({ ...old, at, seen: isNewer ? old.seen : file.to });
  }

  #set(record: FileRecord): void {
    this.files.set(record.file, record);
    this.#revise(record.file);
  }

  #revise(file: string): void {
    this.#revisions.set(file, this.getRevision(file) + 1);
  }

  /** A path that a file came from or went to, with no history of its own. */
  #forgetIfGone(file: string): void {
    const record = this.files.get(file);
    if (record?.lastBefore === undefined && record?.seen.kind === 'absent') {
      this.files.delete(file);
      this.#revise(file);
    }
  }
}

const maxOpenDecisions = 1_000;

function getRecord(
  after: FileAfter,
  past: Pick<FileRecord, 'at' | 'steps'> & { readonly lastBefore: FileState | undefined },
): FileRecord {
  const { file, seen, base, form, added, removed, turns, movedFrom } = after;
  const { at, steps, lastBefore } = past;
  const record: Draft<FileRecord> = { file, seen, base, form, added, removed, turns, at, steps };
  if (lastBefore !== undefined) {
    record.lastBefore = lastBefore;
  }
  if (after.isMixed) {
    record.isMixed = true;
  }
  if (after.isOutside) {
    record.isOutside = true;
  }
  if (movedFrom !== undefined) {
    record.movedFrom = movedFrom;
  }
  return record;
}

/** Tells whether states are the same, as `isSameState`, but compares what isn't kept by its reason. */
export function matches(one: FileState, other: FileState): boolean {
  return one.kind === 'unkept' ? other.kind === 'unkept' : isSameState(one, other);
}

export function isPending({ turns }: FileAfter): boolean {
  return turns.length > 0;
}

function toPendingFile(record: FileRecord): PendingFile {
  const { file, movedFrom, turns, added, removed, form } = record;
  return {
    ...{ file, kind: getKind(record), turns, added, removed, form },
    ...(movedFrom !== undefined && { movedFrom }),
    isMixed: record.isMixed === true,
    isOutside: record.isOutside === true,
  };
}

function getKind({ movedFrom, base, seen }: FileAfter): PendingFile['kind'] {
  if (movedFrom !== undefined) {
    return 'moved';
  }
  if (base.kind === 'absent') {
    return 'added';
  }
  return seen.kind === 'absent' ? 'deleted' : 'modified';
}
