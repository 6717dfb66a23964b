import { inSequence } from '../../util/async';
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
const mostRounds = 5;

/** What happened to the files of one session, as it is stored. */
export class SessionRecord implements Disposable {
  readonly #options: SessionRecordOptions;
  readonly #journal: Journal;
  readonly state = new RecordState();
  readonly contents: Contents;
  readonly #one = inSequence();
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

  get blobs(): Blobs {
    return this.#options.blobs;
  }

  /** Reads what this and other windows have appended. */
  catchUp(): Promise<void> {
    return this.#journal.catchUp();
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

  addTurn(line: Omit<TurnLine, 'type'>): Promise<boolean> {
    return this.append([{ type: 'turn', ...line }]);
  }

  /** Records changes in the order in which they were made. Their contents must be stored already. */
  addSteps(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    return this.#one(async () => {
      // Each step starts from its file's record after the one before.
      for (const part of partsOf(changes)) {
        if (!(await this.#addPart(origin, part))) {
          return false;
        }
      }
      return true;
    });
  }

  async #addPart(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    const gaps = changes.flatMap((change) => this.#gapOf(change));
    const filler = { ...origin, by: origin.unknownBy ?? 'user' };
    return (await this.#addStep(filler, gaps)) && (await this.#addStep(origin, changes));
  }

  /** Works it out again if a decision about one of the files comes in between. */
  async #addStep(origin: Origin, changes: readonly Change[]): Promise<boolean> {
    const { by, source, turn } = origin;
    for (let round = 0; round < mostRounds; round++) {
      const from = changes.map(({ file, movedFrom }) => this.state.files.get(movedFrom ?? file));
      const steps: StepFile[] = [];
      for (const change of changes) {
        const step = await this.#stepOf(origin, change);
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
  #gapOf({ file, before, movedFrom }: Change): readonly Change[] {
    const path = movedFrom ?? file;
    const old = this.state.files.get(path);
    return old === undefined || matches(old.seen, before)
      ? []
      : [{ file: path, before: old.seen, after: before }];
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

/** Parts in which no file is changed twice. */
function partsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
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
