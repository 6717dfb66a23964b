import { randomUUID } from 'node:crypto';
import process from 'node:process';
import type { SessionRef } from '../../../../shared/sessionRef';
import { inSequence } from '../../../../util/async';
import type { Disposable } from '../../../../util/disposable';
import { Emitter } from '../../../../util/emitter';
import { Lazy } from '../../../../util/lazy';
import { countLines } from '../decisions/lines';
import type { ReviewFiles } from '../reviewFiles';
import { Contents } from './contents';
import { type Blobs, type FileState, isSameState } from './fileState';
import { Journal } from './journal';
import type {
  FileAfter,
  JournalLine,
  SettledLine,
  StepBy,
  StepFile,
  StepLine,
  StepSource,
  TurnLine,
  UncertainStep,
} from './journalLines';
import { type FileRecord, isPending, matches, RecordState } from './recordState';
import { readSummary, storeSummary } from './summary';

/** A file that changed. */
export interface Change {
  /** Absolute. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  /** The file's path before it was moved. */
  readonly movedFrom?: string;
  readonly isOutside?: boolean;
}

/** Who changed files, and how that is known. */
export interface Origin {
  readonly by: StepBy;
  readonly source: StepSource;
  readonly turn: number;
  /** Who made the changes that nobody reported before these; the user by default. */
  readonly unknownBy?: StepBy;
}

export interface SessionRecordOptions {
  /** The folder in which it is stored. */
  readonly folder: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly blobs: Blobs;
  readonly files: ReviewFiles;
  readonly sumUpBytes?: number;
}

/** A record is summed up after so many bytes of its journal, and after as many as the summary had. */
const sumUpBytes = 256 * 1024;
/** Files of one line; a change of more takes several lines. */
export const filesPerLine = 400;
const maxRounds = 5;

/** What happened to the files of one session, as it is stored. */
export class SessionRecord implements Disposable {
  readonly #options: SessionRecordOptions;
  readonly #until: number | undefined;
  readonly #journal: Journal;
  #state = new RecordState();
  /** The summary that this began with; 0 bytes: none. */
  #begunAt = 0;
  readonly #begun = new Lazy(() => this.#begin());
  readonly #past = new Lazy(() => this.#readPast());
  /** The last summary: where in the journal, and its size. */
  #summed = { at: 0, size: 0 };
  readonly contents: Contents;
  readonly #one = inSequence();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** `until`: only so many bytes of the journal count, which end with a line. */
  constructor(options: SessionRecordOptions, until?: number) {
    this.#options = options;
    this.#until = until;
    this.contents = new Contents(options.blobs, options.files);
    this.#journal = new Journal(options.folder, (lines) => this.#take(lines), until);
  }

  get state(): RecordState {
    return this.#state;
  }

  get agentId(): string {
    return this.#options.agentId;
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  get blobs(): Blobs {
    return this.#options.blobs;
  }

  /** Reads what this and other windows have appended. */
  async catchUp(): Promise<void> {
    await this.#begun.get();
    await this.#journal.catchUp();
  }

  /** Reads the steps that a summary stands for: decisions about turns and restoring need them. */
  readPast(): Promise<void> {
    return this.#past.get();
  }

  watch(): void {
    this.#journal.watch();
  }

  /** `false` if the record is full, or a later version of the extension has written it. */
  append(lines: readonly JournalLine[], isStillRight?: () => boolean): Promise<boolean> {
    const { agentId, sessionId } = this.#options;
    const head: readonly JournalLine[] =
      this.state.head === undefined ? [{ type: 'record', agentId, sessionId }] : [];
    return this.#journal.append([...head, ...lines], isStillRight);
  }

  addTurn(line: Omit<TurnLine, 'type' | 'pid'>): Promise<boolean> {
    return this.append([{ type: 'turn', ...line, pid: process.pid }]);
  }

  /** Records changes in the order in which they were made. Their contents must be stored already. */
  addSteps(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    return this.#one(async () => {
      // Each step starts from its file's record after the one before.
      for (const part of getParts(changes)) {
        if (!(await this.#addPart(origin, part))) {
          return false;
        }
      }
      return true;
    });
  }

  /** Records changes that may be those of other sessions; returns what identifies them, `undefined` if the record is full. */
  async addUncertain(
    turn: number,
    changes: readonly { readonly change: Change; readonly beside: readonly SessionRef[] }[],
  ): Promise<string | undefined> {
    const id = randomUUID();
    for (let from = 0; from < changes.length; from += filesPerLine) {
      const files: UncertainStep[] = [];
      for (const { change, beside } of changes.slice(from, from + filesPerLine)) {
        const { file, before, after } = change;
        const form = await this.contents.form(file, before, after);
        const hunks = form === 'text' ? await this.contents.hunks(file, before, after) : [];
        const [added, removed] = countLines(hunks ?? []);
        files.push({ file, before, after, form, added, removed, beside });
      }
      if (!(await this.append([{ type: 'uncertain', id, turn, at: Date.now(), files }]))) {
        return undefined;
      }
    }
    return id;
  }

  /** Notes that these changes aren't uncertain any more. */
  async settle(files: SettledLine['files']): Promise<void> {
    for (let from = 0; from < files.length; from += filesPerLine) {
      const part = files.slice(from, from + filesPerLine);
      await this.append([{ type: 'settled', at: Date.now(), files: part }]);
    }
  }

  async #addPart(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    const gaps = changes.flatMap((change) => this.#findGap(change));
    const filler = { ...origin, by: origin.unknownBy ?? 'user' };
    return (await this.#addStep(filler, gaps)) && (await this.#addStep(origin, changes));
  }

  /** Works it out again if a decision about one of the files comes in between. */
  async #addStep(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    const { by, source, turn } = origin;
    for (let round = 0; round < maxRounds; round++) {
      const from = changes.map(({ file, movedFrom }) => this.state.files.get(movedFrom ?? file));
      const steps: StepFile[] = [];
      for (const change of changes) {
        const step = await this.#findStep(origin, change);
        steps.push(...(step === undefined ? [] : [step]));
      }
      const isStillRight = (): boolean =>
        changes.every(
          ({ file, movedFrom }, at) => this.state.files.get(movedFrom ?? file) === from[at],
        );
      const line = { type: 'step', by, source, turn, at: Date.now(), files: steps } as const;
      if (steps.length === 0 || (await this.append([line], isStillRight))) {
        return true;
      }
      if (isStillRight()) {
        return false;
      }
    }
    return false;
  }

  /** Something has changed the file since it was last seen. */
  #findGap({ file, before, movedFrom }: Change): readonly Change[] {
    const path = movedFrom ?? file;
    const old = this.state.files.get(path);
    return old === undefined || matches(old.seen, before)
      ? []
      : [{ file: path, before: old.seen, after: before }];
  }

  async #findStep({ by, turn }: Origin, change: Change): Promise<StepFile | undefined> {
    const { file, before, after, movedFrom: source } = change;
    const old = this.state.files.get(source ?? file);
    const revision = this.state.getRevision(source ?? file);
    if (by !== 'agent' && old === undefined) {
      return undefined;
    }
    const facts =
      by === 'agent' ? this.#byAgent(old, change, turn) : await this.#byUser(old, change);
    const isOutside = change.isOutside ?? old?.isOutside ?? false;
    const own = await this.contents.hunks(file, before, after);
    return {
      ...(await this.describe({ file, seen: after, ...facts, isOutside })),
      before,
      own: countLines(own ?? []),
      revision,
      ...(source !== undefined && { source }),
    };
  }

  /**
   * Another window has decided about a file after the step was worked out and before it was recorded. Every
   * window comes to the same result: it follows from the lines and the stored contents alone.
   */
  async #foldedAnew(line: StepLine): Promise<StepLine> {
    const files: StepFile[] = [];
    for (const step of line.files) {
      const { file, source, seen: after, isOutside } = step;
      const old = this.state.files.get(source ?? file);
      const before = old === undefined || matches(old.seen, step.before) ? step.before : old.seen;
      const moved = source !== undefined && { movedFrom: source };
      const change: Change = { file, before, after, ...moved, ...(isOutside && { isOutside }) };
      const anew = this.state.isCurrent(step)
        ? step
        : await this.#findStep(line, change).catch(() => this.#inDoubt(step));
      files.push(...(anew === undefined ? [] : [anew]));
    }
    return { ...line, files };
  }

  /** The contents can't be stored: whoever undoes anything of the file is asked first. */
  #inDoubt(step: StepFile): StepFile {
    const path = step.source ?? step.file;
    const base = this.state.files.get(path)?.base ?? step.base;
    return { ...step, base, isMixed: true, revision: this.state.getRevision(path) };
  }

  #byAgent(old: FileRecord | undefined, change: Change, turn: number): Facts {
    const { file, before, movedFrom: source } = change;
    const waits = old !== undefined && isPending(old);
    const from = source === undefined ? old?.movedFrom : (old?.movedFrom ?? source);
    return {
      base: waits ? old.base : before,
      turns: [...new Set([...(old?.turns ?? []), turn])].sort((a, b) => a - b),
      isMixed: old?.isMixed ?? false,
      movedFrom: from === file ? undefined : from,
    };
  }

  async #byUser(old: FileRecord | undefined, change: Change): Promise<Facts> {
    const { file, before, after, movedFrom: source } = change;
    const isGone = before.kind === 'absent' || after.kind === 'absent';
    if (old === undefined || !isPending(old) || isGone) {
      return { base: after, turns: [], isMixed: false, movedFrom: undefined };
    }
    const { state, conflicts } = await this.contents.merge(file, [before, old.base, after]);
    return {
      base: state,
      turns: old.turns,
      isMixed: old.isMixed === true || conflicts > 0,
      movedFrom: source === undefined ? old.movedFrom : undefined,
    };
  }

  /** The facts about a file, in the form of a journal line. */
  async describe(facts: Facts & DescribedFile): Promise<FileAfter> {
    const { file, seen, base, turns, isOutside, isMixed, movedFrom } = facts;
    const isSame = movedFrom === undefined && (turns.length === 0 || isSameState(seen, base));
    const form = isSame ? 'text' : await this.contents.form(file, base, seen);
    const hunks = form === 'text' && !isSame ? await this.contents.hunks(file, base, seen) : [];
    const [added, removed] = countLines(hunks ?? []);
    return {
      ...{ file, seen, base, form, added, removed, turns: isSame ? [] : turns },
      ...(isMixed && !isSame && { isMixed }),
      ...(isOutside && { isOutside }),
      ...(movedFrom !== undefined && { movedFrom }),
    };
  }

  /** Begins with the last summary, if there is one of this journal. */
  async #begin(): Promise<void> {
    const { folder, agentId, sessionId } = this.#options;
    const stored = this.#until === undefined ? await readSummary(folder) : undefined;
    const { head } = stored?.summary ?? {};
    const isOurs = head?.agentId === agentId && head.sessionId === sessionId;
    if (stored !== undefined && isOurs && this.#journal.startAt(stored.point)) {
      this.#state = new RecordState(stored.summary);
      this.#begunAt = stored.point.bytes;
      this.#summed = { at: stored.point.bytes, size: stored.size };
    }
  }

  async #readPast(): Promise<void> {
    if (this.#begunAt > 0) {
      const past = new SessionRecord(this.#options, this.#begunAt);
      await past.catchUp();
      this.state.addPast(past.state);
      past.dispose();
    }
  }

  async #take(lines: readonly JournalLine[]): Promise<void> {
    for (const line of lines) {
      const isCurrent = line.type !== 'step' || line.files.every((it) => this.state.isCurrent(it));
      this.state.apply(isCurrent ? line : await this.#foldedAnew(line));
    }
    this.#changed.fire();
    // Without a summary, all lines are read.
    await this.#sumUp().catch(() => undefined);
  }

  async #sumUp(): Promise<void> {
    const { folder, sumUpBytes: least = sumUpBytes } = this.#options;
    const { point, isNewer } = this.#journal;
    const isDue = point.bytes - this.#summed.at >= Math.max(least, this.#summed.size);
    const summary = isDue && !isNewer && this.#until === undefined ? this.state.summary : undefined;
    if (summary !== undefined) {
      this.#summed = { at: point.bytes, size: this.#summed.size };
      this.#summed.size = await storeSummary(folder, point, summary);
    }
  }

  dispose(): void {
    this.#journal.dispose();
    this.#changed.dispose();
  }
}

interface Facts {
  readonly base: FileState;
  readonly turns: readonly number[];
  readonly isMixed: boolean;
  readonly movedFrom: string | undefined;
}

interface DescribedFile {
  readonly file: string;
  readonly seen: FileState;
  readonly isOutside: boolean;
}

/** Parts in which no file is changed twice. */
function getParts(changes: readonly Change[]): readonly (readonly Change[])[] {
  const parts: Change[][] = [[]];
  let seen = new Set<string>();
  for (const change of changes) {
    const paths = [change.file, change.movedFrom ?? change.file];
    if ((parts.at(-1)?.length ?? 0) >= filesPerLine || paths.some((path) => seen.has(path))) {
      parts.push([]);
      seen = new Set();
    }
    parts.at(-1)?.push(change);
    for (const path of paths) {
      seen.add(path);
    }
  }
  return parts;
}
