import type { RecordedSession } from '../../../../model/changes/turnRecorder';
import type { UserSave } from '../../../../model/changes/userSave';
import { isInside } from '../../../../model/files/roots';
import type { ToolCallEntry } from '../../../../shared/transcript/entries';
import { inSequence } from '../../../../util/async';
import type { Disposable } from '../../../../util/disposable';
import { getStack } from '../../../../util/getStack';
import { Evidence } from '../atWork/evidence';
import { mayChange } from '../atWork/namedFiles';
import type { Span } from '../atWork/work';
import type { Checkpoint, NoCheckpoint, TreeChange } from '../checkpoints/checkpoints';
import { isAbandoned } from '../decisions/carryOut';
import { absent, type FileState, isSameState } from '../record/fileState';
import type { StepSource, TurnLine } from '../record/journalLines';
import { matches } from '../record/recordState';
import type { SessionRecord } from '../record/sessionRecord';
import type { RecordedReview, RunningTurn } from '../recordedReview';
import { attribute, joined, type Known, type Share } from './attribution';
import { placeReports, type Report } from './placing';
import { type RecorderOptions, usualLimits } from './recorderOptions';
import { maxReports, Reports } from './reports';
import { storeUserChange } from './storeUserChange';
import { TurnSteps } from './turnSteps';

/** A turn that has ended waits for so many decisions that are changing its files. */
const maxLooks = 5;

export interface TurnsOfWindow {
  /** Turns that haven't ended, or whose last changes aren't recorded yet. */
  readonly running: Set<RecordedTurn>;
  /** Ended turns with changes that another session may still claim. */
  readonly unsettled: Set<RecordedTurn>;
}

/** A turn, from before its prompt until everything that it changed is recorded. */
export class RecordedTurn implements RunningTurn, Disposable {
  readonly #session: RecordedSession;
  readonly #options: RecorderOptions;
  readonly #turns: TurnsOfWindow;
  readonly #one = inSequence();
  readonly #reports = new Reports();
  /** Known as soon as the folders are. */
  #evidence: Evidence | undefined;
  readonly #steps: TurnSteps;
  #folders: readonly string[] = [];
  #review: RecordedReview | undefined;
  #line: Omit<TurnLine, 'type' | 'pid'> = { turn: 0, prompt: '', began: 0 };
  #last: Checkpoint | undefined;
  /** Changes before that checkpoint that the next one explains. */
  #later: readonly TreeChange[] = [];
  #laterSince: number | undefined;
  /** What the agent has reported since then, for when there is no next one. */
  readonly #reported: Report[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** The last checkpoint before this turn, if there is one. */
  #earlier: () => Checkpoint | undefined;
  /** When the agent got the prompt, in ms since the epoch. */
  #sentAt = Number.POSITIVE_INFINITY;
  /** The first sign that the agent acts; `isBeginning`: it did nothing before, as far as it tells. */
  #firstAct: { readonly at: number; readonly isBeginning: boolean } | undefined;
  /** A checkpoint is missing that the next one makes up for. */
  #isGap = false;

  constructor(
    session: RecordedSession,
    options: RecorderOptions,
    turns: TurnsOfWindow,
    earlier: () => Checkpoint | undefined = () => undefined,
  ) {
    this.#session = session;
    this.#options = options;
    this.#turns = turns;
    this.#earlier = earlier;
    this.#steps = new TurnSteps({
      turn: () => this.#line.turn,
      evidence: () => this.#evidence,
      isWithin: (file) => this.#isWithin(file),
      full: () => this.#full(),
    });
  }

  /** The turn's last checkpoint. */
  get checkpoint(): Checkpoint | undefined {
    return this.#last;
  }

  get review(): RecordedReview | undefined {
    return this.#review;
  }

  /** Whether the turn's last changes aren't recorded yet. */
  get isRunning(): boolean {
    return this.#turns.running.has(this);
  }

  /** Begins a turn. If it has no prompt of its own, `prompt` is the one before it. */
  begin(prompt: string, isUnprompted = false): Promise<void> {
    this.#turns.running.add(this);
    return this.#safely(async () => {
      const { agentId, sessionId, folders } = this.#session;
      const { realPath, reviews } = this.#options;
      this.#folders = await Promise.all(
        folders.map(async (folder) => (await realPath(folder)) ?? folder),
      );
      const work = reviews.work.begin({ agentId, sessionId }, this.#folders);
      const known = folders.map((named, at) => ({ named, real: this.#folders[at] ?? named }));
      this.#evidence = new Evidence(reviews.work, work, known);
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
      const [checkpoint] = await Promise.all([taken, tell, work.isKnown]);
      if (typeof checkpoint === 'string') {
        await this.#tell({ incomplete: checkpoint });
      } else {
        this.#last = checkpoint;
        if (await this.#mayBeLate(checkpoint, review.record)) {
          await this.#tell({ isLate: true });
        }
      }
    });
  }

  /** The agent gets the prompt now, whether or not the checkpoint before it is there. */
  sent(): void {
    this.#sentAt = Math.min(this.#sentAt, Date.now());
  }

  /** The agent carries out a tool call, or has. */
  acted(call?: ToolCallEntry): void {
    if (call === undefined || mayChange(call)) {
      this.#noteAct(call);
    }
    if (call !== undefined) {
      this.#hear(call);
    }
  }

  #hear(call: ToolCallEntry): void {
    if (this.#evidence === undefined) {
      void this.#safely(() => Promise.resolve(this.#evidence?.heard(call)));
    } else {
      this.#evidence.heard(call);
    }
  }

  /** A command runs through us until `exited` is settled. */
  async runs(command: string, folder: string, exited: Promise<unknown>): Promise<void> {
    const from = Date.now();
    await exited.catch(() => undefined);
    this.#evidence?.ran(command, folder, { from, to: Date.now() });
  }

  async end(): Promise<void> {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#safely(() => this.#look());
    for (let looks = 1; looks < maxLooks && this.#later.length > 0; looks++) {
      // Not inside the sequence: a decision waits for it.
      await this.#review?.alone(() => Promise.resolve());
      await this.#safely(() => this.#look());
    }
    await this.#safely(() => this.#tell({ isOver: true }));
    this.#turns.running.delete(this);
    if (!this.#steps.unsettled.isEmpty) {
      this.#turns.unsettled.add(this);
      this.#options.reviews.work.watch();
    }
    await this.#evidence?.work.end();
    if (this.#review?.running === this) {
      this.#review.running = undefined;
    }
  }

  refresh(): Promise<void> {
    return this.#safely(() => this.#look());
  }

  /** What nobody had named may have been meanwhile; returns whether something still may be. */
  async settle(): Promise<boolean> {
    await this.#safely(() => this.#settle());
    return !this.#steps.unsettled.isEmpty;
  }

  async #settle(): Promise<void> {
    const [review, evidence] = [this.#review, this.#evidence];
    if (review === undefined || evidence === undefined || this.#steps.unsettled.isEmpty) {
      return;
    }
    await evidence.look();
    await this.#steps.unsettled.settle(review.record, this.#line.turn, evidence);
    if (this.#isOver && !evidence.mayBeNamed({ from: 0, to: Date.now() })) {
      this.#steps.unsettled.clear();
    }
  }

  /** Exact: what was there right before, and what is there right after. */
  async write(file: string, write: () => Promise<void>): Promise<void> {
    const { files } = this.#options;
    const from = Date.now();
    const before = await files.look(file).catch(() => undefined);
    await write();
    const after = await files.look(file).catch(() => undefined);
    this.#evidence?.changed([file], 'written', { from, to: Date.now() });
    await this.#safely(async () => {
      const review = this.#review;
      if (review === undefined || before === undefined || after === undefined) {
        return;
      }
      await this.#evidence?.look();
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
        review.record,
        await this.#untilNow(review, { file, now: old, bytes }),
        'checkpoint',
      );
      let now = old;
      if (before.kind === 'file' && before.unsaved !== undefined) {
        // What the user had typed is theirs, even if it is saved only now.
        now = await contents.addText(file, before.unsaved, old);
        await this.#add(
          review.record,
          [{ by: 'user', change: { file, before: old, after: now } }],
          'editor',
        );
      }
      if (!isSameState(now, new_)) {
        await this.#add(
          review.record,
          [{ by: 'agent', change: { file, before: now, after: new_ } }],
          'write',
        );
      }
    });
  }

  saved(save: UserSave): Promise<void> {
    const at = Date.now();
    return this.#safely(async () => {
      const review = this.#review;
      const change = review && (await storeUserChange(review.record, save));
      if (review === undefined || change === undefined) {
        return;
      }
      const { file } = save;
      if (review.record.state.files.has(file)) {
        await this.#evidence?.look();
        await this.#add(review.record, [{ by: 'user', change }], 'editor');
      } else {
        this.#steps.remember({ ...change, at });
      }
    });
  }

  completed(call: ToolCallEntry): void {
    this.#hear(call);
    const changes = this.#isOver ? undefined : this.#reports.findChanges(call);
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
        this.#reported.push(...changes.filter(isTold).slice(0, maxReports - this.#reported.length));
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
    void this.#evidence?.work.end();
  }

  #noteAct(call: ToolCallEntry | undefined): void {
    if (this.#firstAct === undefined) {
      this.#firstAct = { at: Date.now(), isBeginning: call?.status === 'in_progress' };
      if (this.#line.isLate && this.#firstAct.isBeginning) {
        void this.#safely(() => this.#untell('isLate'));
      }
    }
  }

  /**
   * Whether the agent may have changed files before this checkpoint, the first of its turn: it was at work then, or had
   * the time to be and hasn't begun only since; and the files aren't as they were in the one before.
   */
  async #mayBeLate(first: Checkpoint, { blobs }: SessionRecord): Promise<boolean> {
    const { checkpoints, limits = usualLimits } = this.#options;
    const isLong = first.ended - this.#sentAt > limits.thinkingMs;
    const mayWork = (): boolean => {
      const act = this.#firstAct;
      return act !== undefined && (act.at <= first.ended || act.isBeginning)
        ? act.at <= first.ended
        : isLong;
    };
    const earlier = this.#earlier();
    // It holds the turn before.
    this.#earlier = () => undefined;
    const changes =
      mayWork() && earlier !== undefined
        ? await checkpoints.changes(earlier, first, blobs).catch(() => undefined)
        : undefined;
    return changes?.length !== 0 && mayWork();
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
      if (this.#line.incomplete === undefined) {
        this.#isGap = true;
        await this.#tell({ incomplete: to });
      }
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
      const span = { from: this.#laterSince ?? from.began, to: to.ended };
      await this.#evidence?.look();
      const known = { ...this.#known(review, span), from: from.began, to: to.began };
      const { shares, later } = attribute(joined(earlier, changes), known);
      this.#later = later;
      this.#laterSince = later.length > 0 ? span.from : undefined;
      await this.#add(review.record, shares, 'checkpoint', span);
      await this.#settle();
      if (this.#isGap && this.#line.incomplete !== 'full') {
        this.#isGap = false;
        await this.#untell('incomplete');
      }
    } catch (error) {
      // From this checkpoint on everything is known again.
      this.#isGap = false;
      await this.#tell({ incomplete: 'failed' });
      await this.#place(reported);
      throw error;
    }
  }

  #known(review: RecordedReview, span: Span): Omit<Known, 'from' | 'to'> {
    const { state } = review.record;
    const now = Date.now();
    const open = [...state.openDecisions.values()].filter((intent) => !isAbandoned(intent, now));
    const becoming = new Map(
      open.flatMap(({ files }) => files.map(({ file, to }) => [file, to] as const)),
    );
    return {
      recorded: (file) => state.files.get(file),
      untold: (file) => this.#steps.untold(file),
      becoming: (file) => becoming.get(file),
      whose: (change) => this.#evidence?.whose(change, span) ?? 'agent',
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
      this.#steps.has(file) ||
      (recorded !== undefined &&
        (recorded.at >= (from?.began ?? 0) || matches(recorded.seen, now)));
    if (from === undefined || isRecorded || !this.#isWithin(file)) {
      return [];
    }
    const { checkpoints, log } = this.#options;
    const before = await checkpoints
      .earlier(from, file, bytes, record.blobs)
      .catch((error: unknown) => log.warn(`${file}: its beginning is unknown: ${getStack(error)}`));
    if (before === undefined) {
      return [];
    }
    const known = {
      ...this.#known(review, this.#sinceLook),
      ...{ from: from.began, to: Number.POSITIVE_INFINITY },
    };
    return attribute([{ file, before, after: now }], known).shares;
  }

  /** Records what is known of the turn. */
  async #tell(more: Partial<TurnLine>): Promise<void> {
    this.#line = { ...this.#line, ...more };
    if (this.#line.turn > 0) {
      await this.#review?.record.addTurn(this.#line);
    }
  }

  /** What was recorded of the turn isn't so any more. */
  async #untell(what: 'isLate' | 'incomplete'): Promise<void> {
    const { [what]: _, ...line } = this.#line;
    this.#line = line;
    await this.#tell({});
  }

  /** Records what the agent has reported, as far as it is found in the files. */
  async #place(reports: readonly Report[]): Promise<void> {
    const review = this.#review;
    if (review !== undefined && reports.length > 0) {
      await this.#evidence?.look();
      const changes = await placeReports(review.record, this.#options.files, reports);
      const shares = changes.map((change): Share => ({ by: 'agent', change }));
      await this.#add(review.record, shares, 'diff');
    }
  }

  #add(
    record: SessionRecord,
    shares: readonly Share[],
    source: StepSource,
    span = this.#sinceLook,
  ): Promise<void> {
    return this.#steps.add(record, shares, source, span);
  }

  /** The time from the last checkpoint until now. */
  get #sinceLook(): Span {
    return { from: this.#last?.began ?? this.#line.began, to: Date.now() };
  }

  async #full(): Promise<void> {
    if (this.#line.incomplete !== 'full') {
      await this.#tell({ incomplete: 'full' });
    }
    this.#options.log.warn(`${this.#session.sessionId}: the record of changes is full`);
  }

  #isWithin(file: string): boolean {
    return isInside(file, this.#folders);
  }

  /** Does the work, one after the other. Recording must never be in the way of a turn. */
  #safely(work: () => Promise<void>): Promise<void> {
    return this.#one(work).catch((error: unknown) => {
      const { sessionId } = this.#session;
      this.#options.log.warn(`${sessionId}: changes could not be recorded: ${getStack(error)}`);
    });
  }
}
