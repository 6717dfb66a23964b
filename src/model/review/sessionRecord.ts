import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { Contents } from './contents';
import type { Blobs, FileState } from './fileState';
import { Journal } from './journal';
import type {
  FileAfter,
  JournalLine,
  StepBy,
  StepFile,
  StepSource,
  TurnLine,
} from './journalLines';
import { countOf } from './lines';
import { type FileRecord, isPending, matches, RecordState } from './recordState';
import type { ReviewFiles } from './reviewFiles';
import { isSameState } from './stateText';

/** A file that changed. */
export interface Change {
  /** Absolute. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Its path before it was moved. */
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
  /** Where it is stored. */
  readonly folder: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly blobs: Blobs;
  readonly files: ReviewFiles;
}

/** Files of one line; a change of more takes several lines. */
export const filesPerLine = 400;

/** What happened to the files of one session, as it is stored. */
export class SessionRecord implements Disposable {
  readonly #options: SessionRecordOptions;
  readonly #journal: Journal;
  readonly state = new RecordState();
  readonly contents: Contents;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(options: SessionRecordOptions) {
    this.#options = options;
    this.contents = new Contents(options.blobs, options.files);
    this.#journal = new Journal(options.folder, (lines) => {
      for (const line of lines) {
        this.state.apply(line);
      }
      this.#changed.fire();
    });
  }

  get agentId(): string {
    return this.#options.agentId;
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  /** Reads what this and other windows have appended. */
  catchUp(): Promise<void> {
    return this.#journal.catchUp();
  }

  watch(): void {
    this.#journal.watch();
  }

  /** `false` if the record is full, or a later version of the extension has written it. */
  append(lines: readonly JournalLine[]): Promise<boolean> {
    const { agentId, sessionId } = this.#options;
    const head: readonly JournalLine[] =
      this.state.head === undefined ? [{ type: 'record', agentId, sessionId }] : [];
    return this.#journal.append([...head, ...lines]);
  }

  addTurn(line: Omit<TurnLine, 'type'>): Promise<boolean> {
    return this.append([{ type: 'turn', ...line }]);
  }

  /** Records changes in the order in which they were made. Their contents must be stored already. */
  async addSteps(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    let batch: StepFile[] = [];
    const seen = new Set<string>();
    const flush = async (): Promise<boolean> => {
      const files = batch;
      batch = [];
      seen.clear();
      return files.length === 0 || (await this.#addStep(origin, files));
    };
    for (const change of changes) {
      const paths = [change.file, change.movedFrom ?? change.file];
      // Each step starts from the file's record after the one before.
      if (batch.length >= filesPerLine || paths.some((path) => seen.has(path))) {
        if (!(await flush())) {
          return false;
        }
      }
      await this.#closeGap(origin, change);
      const step = await this.#stepOf(origin, change);
      if (step !== undefined) {
        batch.push(step);
        for (const path of paths) {
          seen.add(path);
        }
      }
    }
    return flush();
  }

  #addStep({ by, source, turn }: Origin, files: readonly StepFile[]): Promise<boolean> {
    return this.append([{ type: 'step', by, source, turn, at: Date.now(), files }]);
  }

  /** Something has changed the file since it was last seen. */
  async #closeGap(origin: Origin, { file, before, movedFrom }: Change): Promise<void> {
    const path = movedFrom ?? file;
    const old = this.state.files.get(path);
    if (old !== undefined && !matches(old.seen, before)) {
      const by = origin.unknownBy ?? 'user';
      const step = await this.#stepOf(
        { ...origin, by },
        { file: path, before: old.seen, after: before },
      );
      if (step !== undefined) {
        await this.#addStep({ ...origin, by }, [step]);
      }
    }
  }

  async #stepOf({ by, turn }: Origin, change: Change): Promise<StepFile | undefined> {
    const { file, before, after, movedFrom: source } = change;
    const old = this.state.files.get(source ?? file);
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
      own: countOf(own ?? []),
      ...(source !== undefined && { source }),
    };
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

  /** The facts of a file, as a line tells them. */
  async describe(facts: Facts & DescribedFile): Promise<FileAfter> {
    const { file, seen, base, turns, isOutside, isMixed, movedFrom } = facts;
    const isSame = movedFrom === undefined && (turns.length === 0 || isSameState(seen, base));
    const form = isSame ? 'text' : await this.contents.form(file, base, seen);
    const hunks = form === 'text' && !isSame ? await this.contents.hunks(file, base, seen) : [];
    const [added, removed] = countOf(hunks ?? []);
    return {
      ...{ file, seen, base, form, added, removed, turns: isSame ? [] : turns },
      ...(isMixed && !isSame && { isMixed }),
      ...(isOutside && { isOutside }),
      ...(movedFrom !== undefined && { movedFrom }),
    };
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
