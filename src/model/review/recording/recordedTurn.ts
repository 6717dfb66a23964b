import type { ToolCallEntry } from '../../../shared/transcript/entries';
import { inSequence } from '../../../util/async';
import type { Disposable } from '../../../util/disposable';
import { isInside } from '../../files/roots';
import type { Checkpoint, NoCheckpoint, TreeChange } from '../checkpoints/checkpoints';
import { isAbandoned } from '../decisions/performing';
import type { FileState } from '../record/fileState';
import type { TurnLine } from '../record/journalLines';
import { matches } from '../record/recordState';
import type { Change } from '../record/sessionRecord';
import { absent } from '../record/stateText';
import type { RecordedReview, RunningTurn } from '../recordedReview';
import { attribute, joined, type Known, type Share } from './attribution';
import { placeReports, type Report } from './placing';
import { type RecorderOptions, usualLimits } from './recorderOptions';
import { mostReported, Reports } from './reports';
import type { RecordedSession } from './turnRecorder';
import { changeOf, type UserSave } from './userSave';

/** A turn that has ended waits for so many decisions that are changing its files. */
const mostLooks = 5;

/** What this turn knows of a file. */
interface Touched {
  /** Whether a step of it was recorded in this turn. */
  readonly isRecorded: boolean;
  readonly untold: readonly (Change & { readonly at: number })[];
}

/** One turn, from before its prompt until everything that it changed is recorded. */
export class RecordedTurn implements RunningTurn, Disposable {
  readonly #session: RecordedSession;
  readonly #options: RecorderOptions;
  readonly #all: Set<RecordedTurn>;
  readonly #one = inSequence();
  readonly #reports = new Reports();
  readonly #touched = new Map<string, Touched>();
  /** Turns of other sessions that ran at the same time in one of the folders. */
  readonly #beside = new Set<RecordedTurn>();
  #folders: readonly string[] = [];
  #review: RecordedReview | undefined;
  #line: Omit<TurnLine, 'type' | 'pid'> = { turn: 0, prompt: '', began: 0 };
  #last: Checkpoint | undefined;
  /** Changes before that checkpoint that the next one explains. */
  #later: readonly TreeChange[] = [];
  /** What the agent has reported since then, for when there is no next one. */
  readonly #reported: Report[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** When the agent got the prompt, in ms since the epoch, if that was before the first checkpoint. */
  #sentAt: number | undefined;
  #hasActed = false;

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

  /** Without a prompt of its own, `prompt` is the one before it. */
  begin(prompt: string, isUnprompted = false): Promise<void> {
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
      const tell = this.#tell({
        ...{ turn, prompt, began: Date.now() },
        ...(isUnprompted && { isUnprompted }),
      });
      const [checkpoint] = await Promise.all([taken, tell]);
      if (typeof checkpoint === 'string') {
        await this.#tell({ incomplete: checkpoint });
      } else {
        this.#last = checkpoint;
        if (this.#mayWork()) {
          await this.#tell({ isLate: true });
        }
      }
    });
  }

  /** The agent gets the prompt now, whether or not the checkpoint before it is there. */
  sent(): void {
    this.#sentAt ??= Date.now();
  }

  /** The agent has begun to carry out a tool call. */
  acted(): void {
    this.#hasActed = true;
  }

  async end(): Promise<void> {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#safely(() => this.#look());
    for (let looks = 1; looks < mostLooks && this.#later.length > 0; looks++) {
      // Not inside the sequence: a decision waits for it.
      await this.#review?.alone(() => Promise.resolve());
      await this.#safely(() => this.#look());
    }
    await this.#safely(() => this.#tell({ isOver: true }));
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
    const after = await files.look(file).catch(() => undefined);
    this.#reports.add(file);
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
      const bytes = before.kind === 'file' ? before.bytes : undefined;
      await this.#add(
        review,
        await this.#untilNow(review, { file, now: old, bytes }),
        'checkpoint',
      );
      let now = old;
      if (before.kind === 'file' && before.unsaved !== undefined) {
        // What the user had typed is theirs, even if it is saved only now.
        now = await contents.addText(file, before.unsaved, old);
        await this.#add(
          review,
          [{ by: 'user', change: { file, before: old, after: now } }],
          'editor',
        );
      }
      await this.#add(
        review,
        [{ by: 'agent', change: { file, before: now, after: new_ } }],
        'write',
      );
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
        await this.#add(review, [{ by: 'user', change }], 'editor');
      } else if (this.#touched.size < mostReported) {
        const untold = this.#touched.get(file)?.untold ?? [];
        this.#touched.set(file, { isRecorded: false, untold: [...untold, { ...change, at }] });
      }
    });
  }

  completed(call: ToolCallEntry): void {
    const changes = this.#isOver ? undefined : this.#reports.changesOf(call);
    if (changes === undefined) {
      return;
    }
    if (changes.length > 0) {
      // The checkpoint before the turn may hold this change already.
      const isEarly = this.#last === undefined;
      void this.#safely(async () => {
        // A checkpoint tells more, but only of the folders.
        const isTold = ({ path }: Report): boolean =>
          !isEarly && this.#last !== undefined && this.#isWithin(path);
        this.#reported.push(
          ...changes.filter(isTold).slice(0, mostReported - this.#reported.length),
        );
        await this.#place(changes.filter((change) => !isTold(change)));
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

  /** Whether the agent may be changing files: it says so, or has had the time to. */
  #mayWork(): boolean {
    const { thinkingMs } = this.#options.limits ?? usualLimits;
    const isLong = this.#sentAt !== undefined && Date.now() - this.#sentAt > thinkingMs;
    return this.#hasActed || isLong;
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
    const to = await this.#take();
    if (typeof to === 'string') {
      await this.#tell({ incomplete: to });
      if (this.#isOver) {
        await this.#place(this.#reported.splice(0));
      }
      return;
    }
    this.#last = to;
    const [earlier, reported] = [this.#later, this.#reported.splice(0)];
    this.#later = [];
    try {
      const changes = await this.#options.checkpoints.changes(from, to, review.record.blobs);
      const known = { ...this.#known(review), from: from.began, to: to.began };
      const { shares, later } = attribute(joined(earlier, changes), known);
      this.#later = later;
      await this.#add(review, shares, 'checkpoint');
    } catch (error) {
      // From this checkpoint on everything is known again.
      await this.#tell({ incomplete: 'failed' });
      await this.#place(reported);
      throw error;
    }
  }

  #known(review: RecordedReview): Omit<Known, 'from' | 'to'> {
    const { state } = review.record;
    const now = Date.now();
    const open = [...state.open.values()].filter((intent) => !isAbandoned(intent, now));
    const becoming = new Map(
      open.flatMap(({ files }) => files.map(({ file, to }) => [file, to] as const)),
    );
    return {
      recorded: (file) => state.files.get(file),
      untold: (file) => this.#touched.get(file)?.untold ?? [],
      becoming: (file) => becoming.get(file),
      isOurs: (file) => this.#isOurs(file),
    };
  }

  /** What has become of a file since the last checkpoint, if nothing of that is recorded. */
  async #untilNow(
    review: RecordedReview,
    { file, now, bytes }: { file: string; now: FileState; bytes: Uint8Array | undefined },
  ): Promise<readonly Share[]> {
    const [from, { record }] = [this.#last, review];
    const recorded = record.state.files.get(file);
    const isRecorded =
      this.#touched.get(file)?.isRecorded === true ||
      (recorded !== undefined &&
        (recorded.at >= (from?.began ?? 0) || matches(recorded.seen, now)));
    if (from === undefined || isRecorded || !this.#isWithin(file)) {
      return [];
    }
    const { checkpoints, log } = this.#options;
    const before = await checkpoints
      .earlier(from, file, bytes, record.blobs)
      .catch((error: unknown) => log.warn(`${file}: its beginning is unknown: ${String(error)}`));
    if (before === undefined) {
      return [];
    }
    const known = { ...this.#known(review), from: from.began, to: Number.POSITIVE_INFINITY };
    return attribute([{ file, before, after: now }], known).shares;
  }

  /** Records what is known of the turn. */
  async #tell(more: Partial<TurnLine>): Promise<void> {
    this.#line = { ...this.#line, ...more };
    if (this.#line.turn > 0) {
      await this.#review?.record.addTurn(this.#line);
    }
  }

  /** Records what the agent has reported, as far as it is found in the files. */
  async #place(reports: readonly Report[]): Promise<void> {
    const review = this.#review;
    if (review !== undefined && reports.length > 0) {
      const changes = await placeReports(review.record, this.#options.files, reports);
      const shares = changes.map((change): Share => ({ by: 'agent', change }));
      await this.#add(review, shares, 'diff');
    }
  }

  /** Adds steps in their order, those of the same one together. */
  async #add(
    review: RecordedReview,
    shares: readonly Share[],
    source: 'write' | 'checkpoint' | 'diff' | 'editor',
  ): Promise<void> {
    for (let from = 0; from < shares.length; ) {
      const by = shares[from]?.by ?? 'agent';
      const next = shares.findIndex((share, index) => index > from && share.by !== by);
      const end = next === -1 ? shares.length : next;
      const changes = shares.slice(from, end).map(({ change }) => ({
        ...change,
        ...(!this.#isWithin(change.file) && { isOutside: true }),
      }));
      const isSince = changes.every(({ file }) => this.#touched.get(file)?.isRecorded);
      const unknownBy = isSince ? 'agent' : 'user';
      const wasAdded = await review.record.addSteps(
        { by, source, turn: this.#line.turn, unknownBy },
        changes,
      );
      if (!wasAdded) {
        if (this.#line.incomplete !== 'full') {
          await this.#tell({ incomplete: 'full' });
        }
        this.#options.log.warn(`${this.#session.sessionId}: the record of changes is full`);
      }
      for (const { file } of changes) {
        this.#touched.set(file, { isRecorded: true, untold: [] });
      }
      from = end;
    }
  }

  #isWithin(file: string): boolean {
    return isInside(file, this.#folders);
  }

  /** What another session's agent alone has named isn't this one's. */
  #isOurs(file: string): boolean {
    return this.#reports.has(file) || ![...this.#beside].some((turn) => turn.#reports.has(file));
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
