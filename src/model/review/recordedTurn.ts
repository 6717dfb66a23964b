import path from 'node:path';
import { diffsIn } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { inSequence } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { mayResolve } from '../files/paths';
import { isInside } from '../files/roots';
import type { Log, RealPath } from '../ports';
import { attribute, type Share, type Touched } from './attribution';
import type { Checkpoint, Checkpoints, NoCheckpoint } from './checkpoints';
import { isContent } from './contents';
import type { FileState } from './fileState';
import { placeDiffs } from './placing';
import type { RecordedReview, RunningTurn } from './recordedReview';
import type { ReviewFiles } from './reviewFiles';
import type { Change, SessionRecord } from './sessionRecord';
import { absent } from './stateText';
import type { StoredReviews } from './storedReviews';
import type { RecordedSession } from './turnRecorder';

/** A file that the user has saved in an editor here; without bytes, there was no file. */
export interface UserSave {
  readonly file: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

export interface RecorderOptions {
  readonly reviews: Pick<StoredReviews, 'open' | 'tracking'>;
  readonly checkpoints: Checkpoints;
  readonly files: ReviewFiles;
  readonly realPath: RealPath;
  readonly log: Pick<Log, 'warn'>;
  readonly limits?: RecorderLimits;
}

export interface RecorderLimits {
  /** How long a prompt waits for the checkpoint before it, in ms. */
  readonly promptMs: number;
  /** The time between two checkpoints while a turn runs, in ms. */
  readonly betweenMs: number;
}

export const usualLimits: RecorderLimits = { promptMs: 100, betweenMs: 3_000 };
/** Calls of these kinds change no file. */
const looking: readonly ToolCallEntry['toolKind'][] = ['read', 'search', 'think', 'fetch'];
const mostReported = 10_000;

/** One turn, from before its prompt until everything that it changed is recorded. */
export class RecordedTurn implements RunningTurn, Disposable {
  readonly #session: RecordedSession;
  readonly #options: RecorderOptions;
  readonly #all: Set<RecordedTurn>;
  readonly #one = inSequence();
  /** Files that this turn's agent has named as changed. */
  readonly #reported = new Set<string>();
  /** Completed calls; they may be updated again. */
  readonly #told = new Set<string>();
  readonly #touched = new Map<string, Touched>();
  /** Turns of other sessions that ran at the same time in one of the folders. */
  readonly #beside = new Set<RecordedTurn>();
  #folders: readonly string[] = [];
  #review: RecordedReview | undefined;
  #line = { turn: 0, prompt: '', began: 0 };
  #last: Checkpoint | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  isLate = false;

  constructor(session: RecordedSession, options: RecorderOptions, all: Set<RecordedTurn>) {
    this.#session = session;
    this.#options = options;
    this.#all = all;
  }

  get review(): RecordedReview | undefined {
    return this.#review;
  }

  /** Until its last changes are recorded. */
  get isRunning(): boolean {
    return this.#all.has(this);
  }

  begin(prompt: string): Promise<void> {
    this.#all.add(this);
    return this.#safely(async () => {
      const { agentId, sessionId, folders } = this.#session;
      const { realPath, reviews } = this.#options;
      this.#folders = await Promise.all(
        folders.map(async (folder) => (await realPath(folder)) ?? folder),
      );
      this.#meetOthers();
      const [place = ''] = this.#folders;
      const taken = this.#take();
      const review = await reviews.open(place, agentId, sessionId);
      this.#review = review;
      review.running = this;
      await review.record.catchUp();
      const turn = review.record.state.lastTurn + 1;
      const line = { turn, prompt, began: Date.now() };
      this.#line = line;
      const [checkpoint] = await Promise.all([taken, review.record.addTurn(line)]);
      const incomplete: NoCheckpoint | undefined =
        typeof checkpoint === 'string' ? checkpoint : undefined;
      this.#last = typeof checkpoint === 'string' ? undefined : checkpoint;
      const isLate = this.isLate && incomplete === undefined;
      if (incomplete !== undefined || isLate) {
        await review.record.addTurn({
          ...line,
          ...(incomplete !== undefined && { incomplete }),
          ...(isLate && { isLate }),
        });
      }
    });
  }

  async end(): Promise<void> {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#safely(() => this.#look());
    this.#all.delete(this);
    if (this.#review?.running === this) {
      this.#review.running = undefined;
    }
  }

  refresh(): Promise<void> {
    return this.#safely(() => this.#look());
  }

  /** Exact: what was there right before, and what is there right after. */
  async write(file: string, write: () => Promise<void>): Promise<void> {
    const { files } = this.#options;
    const before = await files.look(file).catch(() => undefined);
    await write();
    const at = Date.now();
    const after = await files.look(file).catch(() => undefined);
    this.#report(file);
    await this.#safely(async () => {
      const review = this.#review;
      if (review === undefined || before === undefined || after === undefined) {
        return;
      }
      const { contents } = review.record;
      const states = [];
      for (const now of [before, after]) {
        if (now.kind === 'untouchable') {
          return;
        }
        states.push(now.kind === 'file' ? await contents.add(now.bytes, now.isExecutable) : absent);
      }
      const [old = absent, new_ = absent] = states;
      if (before.kind === 'file' && before.unsaved !== undefined) {
        // What the user had typed is theirs, even if it is saved only now.
        const typed = await contents.addText(file, before.unsaved, old);
        const change = { file, before: old, after: typed };
        await this.#add(review, [{ by: 'user', change }], 'editor', at);
        await this.#add(
          review,
          [{ by: 'agent', change: { file, before: typed, after: new_ } }],
          'write',
          at,
        );
      } else {
        await this.#add(
          review,
          [{ by: 'agent', change: { file, before: old, after: new_ } }],
          'write',
          at,
        );
      }
    });
  }

  saved(save: UserSave): Promise<void> {
    const at = Date.now();
    return this.#safely(async () => {
      const review = this.#review;
      const change = review && (await changeOf(review.record, save));
      if (review === undefined || change === undefined) {
        return;
      }
      const { file } = save;
      if (review.record.state.files.has(file)) {
        await this.#add(review, [{ by: 'user', change }], 'editor', at);
      } else if (this.#touched.size < mostReported) {
        const untold = this.#touched.get(file)?.untold ?? [];
        this.#touched.set(file, { at: undefined, untold: [...untold, { ...change, at }] });
      }
    });
  }

  completed(call: ToolCallEntry): void {
    if (looking.includes(call.toolKind) || this.#isOver) {
      return;
    }
    const diffs = diffsIn(call.content).filter(({ path }) => isPlain(path));
    const told = `${call.toolCallId} ${diffs.length}`;
    if (this.#told.has(told) || this.#told.size >= mostReported) {
      return;
    }
    this.#told.add(told);
    const isEdit =
      call.toolKind === 'edit' || call.toolKind === 'delete' || call.toolKind === 'move';
    const places = isEdit ? call.locations.map((location) => location.path).filter(isPlain) : [];
    for (const file of [...diffs.map((diff) => diff.path), ...places]) {
      this.#report(file);
    }
    if (diffs.length > 0) {
      void this.#safely(async () => {
        const review = this.#review;
        // A checkpoint tells more, but only of the folders.
        const placed = diffs.filter(
          ({ path }) => this.#last === undefined || !this.#isWithin(path),
        );
        if (review !== undefined && placed.length > 0) {
          const changes = await placeDiffs(review.record, this.#options.files, placed);
          const at = Date.now();
          await this.#add(
            review,
            changes.map((change) => ({ by: 'agent', change })),
            'diff',
            at,
          );
        }
      });
    }
    const { betweenMs } = this.#options.limits ?? usualLimits;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, betweenMs).unref();
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #take(): Promise<Checkpoint | NoCheckpoint> {
    return this.#options.checkpoints.take(this.#folders).catch((): NoCheckpoint => 'failed');
  }

  /** Takes a checkpoint and records what has changed since the one before. */
  async #look(): Promise<void> {
    const [review, from] = [this.#review, this.#last];
    if (review === undefined || from === undefined) {
      return;
    }
    const { checkpoints } = this.#options;
    const to = await this.#take();
    if (typeof to === 'string') {
      await review.record.addTurn({ ...this.#line, incomplete: to });
      return;
    }
    const changes = await checkpoints.changes(from, to, review.record.blobs);
    this.#last = to;
    const shares = attribute(changes, {
      seen: (file) => review.record.state.files.get(file)?.seen,
      touched: this.#touched,
      began: to.began,
      isOurs: (file) => this.#isOurs(file),
    });
    await this.#add(review, shares, 'checkpoint', to.began);
  }

  /** Adds steps in their order, those of the same one together. */
  async #add(
    review: RecordedReview,
    shares: readonly Share[],
    source: 'write' | 'checkpoint' | 'diff' | 'editor',
    at: number,
  ): Promise<void> {
    for (let from = 0; from < shares.length; ) {
      const by = shares[from]?.by ?? 'agent';
      const next = shares.findIndex((share, index) => index > from && share.by !== by);
      const end = next === -1 ? shares.length : next;
      const changes = shares.slice(from, end).map(({ change }) => ({
        ...change,
        ...(!this.#isWithin(change.file) && { isOutside: true }),
      }));
      const isSince = changes.every(({ file }) => this.#touched.get(file)?.at !== undefined);
      const unknownBy = isSince ? 'agent' : 'user';
      const wasAdded = await review.record.addSteps(
        { by, source, turn: this.#line.turn, unknownBy },
        changes,
      );
      if (!wasAdded) {
        this.#options.log.warn(`${this.#session.sessionId}: the record of changes is full`);
      }
      for (const { file } of changes) {
        this.#touched.set(file, { at, untold: [] });
      }
      from = end;
    }
  }

  #isWithin(file: string): boolean {
    return isInside(file, this.#folders);
  }

  #report(file: string): void {
    if (this.#reported.size < mostReported) {
      this.#reported.add(file);
    }
  }

  /** What another session's agent alone has named isn't this one's. */
  #isOurs(file: string): boolean {
    return this.#reported.has(file) || ![...this.#beside].some((turn) => turn.#reported.has(file));
  }

  #meetOthers(): void {
    for (const turn of this.#all) {
      const isNear = turn.#folders.some((folder) =>
        this.#folders.some((own) => isInside(own, [folder]) || isInside(folder, [own])),
      );
      if (turn !== this && isNear) {
        this.#beside.add(turn);
        turn.#beside.add(this);
      }
    }
  }

  /** One after the other. Recording must never be in the way of a turn. */
  #safely(work: () => Promise<void>): Promise<void> {
    return this.#one(work).catch((error: unknown) => {
      const { sessionId } = this.#session;
      this.#options.log.warn(`${sessionId}: changes could not be recorded: ${String(error)}`);
    });
  }
}

/** An agent can name anything; looking at it must not leave this machine. */
function isPlain(file: string): boolean {
  return mayResolve(file) && path.normalize(file) === file;
}

/** `undefined` if the record knows of it: a decision or an agent's write saves files, too. */
export async function changeOf(
  { contents, state }: SessionRecord,
  { file, before, after }: UserSave,
): Promise<Change | undefined> {
  const seen = state.files.get(file)?.seen;
  const isDecided = [...state.open.values()].some(({ files }) =>
    files.some((decided) => decided.file === file && isContent(decided.to, after)),
  );
  if (isDecided || (seen !== undefined && isContent(seen, after))) {
    return undefined;
  }
  const states: FileState[] = [];
  for (const bytes of [before, after]) {
    states.push(bytes === undefined ? absent : await contents.add(bytes));
  }
  const [old = absent, new_ = absent] = states;
  return { file, before: old, after: new_ };
}
