import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError, workFailed } from '../../protocol/errors';
import type { BackgroundItem, SessionActivity, SessionUpdate } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import type { Block } from '../../shared/transcript/content';
import {
  endsTurn,
  type TurnFacts,
  type TurnOutcome,
  type TurnUsage,
} from '../../shared/transcript/entries';
import type { Draft, QueuedPrompt, Turn } from '../../shared/transcript/prompt';
import type { UsageLimit } from '../../shared/transcript/usageLimit';
import { SendLater } from '../../util/sendLater';
import type { TurnRecorder } from '../changes/turnRecorder';
import { describeFailure, withUnsentPrompts } from '../failures/failures';
import { describePromptFailure, limitOf } from '../failures/promptFailure';
import type { Transcript } from '../transcript/transcript';
import { lastPromptIn } from '../transcript/turnStarts';
import { addTokens } from './addTokens';
import { type BackgroundTurn, BackgroundWork } from './backgroundWork';
import { EchoFilter } from './echoFilter';
import { LostTurn } from './lostTurn';
import { PromptQueue } from './promptQueue';
import { ResendablePrompts } from './resendable';
import { Silence } from './silence';
import { SilentEnd } from './silentEnd';
import { Steering } from './steering';

/** A live connection to the session, or why there is none. */
export type Live = { readonly connection: AgentConnection } | { readonly failure: Failure };

export interface TurnsHost {
  readonly sessionId: string;
  readonly transcript: Transcript;
  limit(): UsageLimit | undefined;
  /** A turn has failed because of a limit, or (`undefined`) has gone through. */
  readonly showLimit: (limit: UsageLimit | undefined) => void;
  /** How long the agent has to answer a cancel before the user may end the turn here, in ms (CA-11). */
  readonly cancelMs: number;
  /** See `SessionLimits`. */
  readonly tailMs: number;
  readonly quietMs: number;
  readonly silentMs: number;
  /** Changes when the agent reports its name, or with the settings. */
  agentTitle(): string;
  /** Loads or resumes the session first if it isn't live (PR-1). Never rejects. */
  live(): Promise<Live>;
  isLive(): boolean;
  /** Whether a question of the agent waits for an answer here. */
  isAsking(): boolean;
  /** Whether a command that the agent has started here still runs. */
  isRunningCommand(): boolean;
  /** The connection of a live session. */
  connection(): AgentConnection | undefined;
  /** Converts a draft to the content blocks for this agent. */
  blocks(draft: Draft, connection: AgentConnection): Promise<readonly Block[]>;
  /** Whether prompts wait for a decision of the user; see `goOn`. */
  isHeld(): boolean;
  /** A prompt is about to be sent. */
  prompted(): void;
  /** Settles the agent's pending questions as canceled (PE-4). */
  cancelRequests(): void;
  changed(): void;
  /** `turn`: when it was and what it used; absent if its prompt was never sent. */
  ended(kind: 'turnEnded' | 'failed', turn: TurnFacts | undefined): void;
  /** Records what the turns change; nothing does if it is missing. */
  readonly recorder?: TurnRecorder | undefined;
}

/** A prompt that the agent may send back. */
interface Expected {
  readonly echo: EchoFilter;
  /** Index of the prompt's entry in the transcript, while it exists. */
  readonly index: number | undefined;
}

interface Run {
  readonly queued: QueuedPrompt;
  connection: AgentConnection | undefined;
  /** Index of the prompt's entry in the transcript, while it exists. */
  index: number | undefined;
  /** When the prompt was sent, in ms since the epoch. */
  began: number | undefined;
  /** The turn's tokens, as soon as the agent tells them. */
  usage?: TurnUsage;
}

/** The state of a session's turns that would be lost with the window. */
export interface Unfinished {
  /** Prompts that weren't sent yet, held or not. */
  readonly queue: readonly QueuedPrompt[];
  /** The prompt of the running turn. */
  readonly running?: Draft;
  /** The prompt of a turn that an earlier window interrupted, as long as it can be sent again. */
  readonly interrupted?: Draft;
}

const idle: Turn = { kind: 'idle' };

/** Prompts of one turn whose echoes are recognized: the latest ones. */
const maxEchoes = 8;

/** Counts the prompts of all sessions; see `promptedAt`. */
let lastPrompt = 0;

/** The turns of one session, one at a time (PR-5), and the queued prompts. */
export class Turns {
  readonly #host: TurnsHost;
  #turn: Turn = idle;
  readonly #queue = new PromptQueue();
  readonly #later = new SendLater();
  readonly #background: BackgroundWork;
  readonly #steering: Steering;
  /** Entries of prompts that came too late for their turn and are queued again, by the prompt's id. */
  readonly #shown = new Map<number, number>();
  #run: Run | undefined;
  /** The agent begins a turn of its own after the running one: its prompt. */
  #goesOn: string | undefined;
  #isClosed = false;
  #expected: readonly Expected[] = [];
  #promptedAt = 0;
  #tokens: TurnUsage | undefined;
  /** Turns that were ended here and that the agent hasn't answered yet. */
  readonly #unanswered = new Set<Run>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #resendable: ResendablePrompts;
  readonly #silentEnd: SilentEnd;
  readonly #silence: Silence;
  readonly #lost = new LostTurn({ goesOn: () => this.#goOnWithLost() });
  /** The agent continues a lost turn: prompts wait for its end. */
  #awaitsLost = false;

  constructor(host: TurnsHost) {
    this.#host = host;
    this.#resendable = new ResendablePrompts(host.transcript);
    this.#silentEnd = new SilentEnd(host.transcript);
    this.#silence = new Silence({
      silentMs: host.silentMs,
      isAtWork: () => this.#shownTurn.kind !== 'idle',
      isWaiting: () =>
        this.#background.waits === true || host.isAsking() || host.isRunningCommand(),
      changed: () => host.changed(),
    });
    const { sessionId, transcript, tailMs, quietMs, cancelMs } = host;
    this.#background = new BackgroundWork({
      ...{ transcript, tailMs, quietMs, cancelMs },
      isAtRest: () => this.#run === undefined && host.isLive(),
      began: (isLate, prompt) => this.#recordBackground(isLate, prompt),
      over: () => host.recorder?.end(),
      changed: () => host.changed(),
      stopped: (from, said) => this.#recordReported(from, said),
      ended: (turn) => this.#workEnded(turn),
    });
    this.#steering = new Steering({
      ...{ sessionId, transcript, queue: this.#queue },
      running: () => (this.isCancelling ? undefined : this.#run?.connection),
      blocks: (draft, connection) => host.blocks(draft, connection),
      sending: (blocks, index) => this.#expectEcho(this.#expected, blocks, index),
      refused: (queued, index) => this.#takeBack(queued, index),
      startedNewTurn: (prompt) => {
        this.#goesOn = this.#run && prompt;
        this.#background.begin(prompt);
      },
      changed: () => host.changed(),
    });
  }

  get current(): Turn {
    const turn = this.#shownTurn;
    const waits = this.#background.waits && !this.#host.isAsking();
    const { since } = this.#silence;
    if (turn.kind === 'idle' || (!waits && since === undefined)) {
      return turn;
    }
    return {
      ...turn,
      ...(waits && { waits }),
      ...(since !== undefined && { silentSince: since }),
    };
  }

  get #shownTurn(): Turn {
    return this.#turn.kind === 'idle' ? this.#background.current : this.#turn;
  }

  /** The agent has said or asked something, or something that it waits for has gone on. */
  heard(): void {
    this.#silence.heard();
  }

  /** The turns that no prompt of this client owns (T-40), in the transcript's order. */
  get background(): readonly BackgroundTurn[] {
    return this.#background.turns;
  }

  /** What the agent says that runs beside the turns. */
  get tasks(): readonly BackgroundItem[] {
    return this.#background.tasks;
  }

  /** Queued prompts, in the order in which they will be sent. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue.all;
  }

  /** The sequence number, across all sessions, of the session's last prompt; 0 before the first one. */
  get promptedAt(): number {
    return this.#promptedAt;
  }

  /** Whether the agent's requests now belong to a canceled turn (T-27). */
  get isCancelling(): boolean {
    return this.#turn.kind === 'running'
      ? this.#turn.cancelling
      : this.#unanswered.size > 0 || this.#background.isCancelling;
  }

  /** The tokens of the turns that are in the transcript, as far as they were told (US-5). */
  get tokens(): TurnUsage | undefined {
    return this.#tokens;
  }

  /** A turn has ended, or is told again. */
  noteTokens({ usage }: Pick<TurnFacts, 'usage'>): void {
    this.#tokens = usage === undefined ? this.#tokens : addTokens(this.#tokens, usage);
  }

  /** Identifies the running turn; `undefined` when none runs, or it is being canceled. */
  get runningId(): number | undefined {
    return this.#turn.kind === 'running' && !this.#turn.cancelling
      ? this.#run?.queued.id
      : undefined;
  }

  get unfinished(): Unfinished {
    const run = this.#run;
    const interrupted = this.#resendable.interrupted ?? this.#goingOn;
    const isSent = run !== undefined && !this.#queue.has(run.queued);
    return {
      queue: this.#queue.all,
      ...(isSent && { running: run.queued.draft }),
      ...(interrupted && { interrupted }),
    };
  }

  /** All prompts that the agent has never got, to be sent in another session. */
  get unsent(): readonly Draft[] {
    return [...this.#resendable.all, ...this.#queue.all.map(({ draft }) => draft)];
  }

  /** Restores the prompts that an earlier window has left. None is sent automatically. */
  restore(queue: readonly Draft[], interrupted: Draft | undefined): void {
    this.#queue.restore(queue);
    this.#resendable.interruptedBy(this.#run === undefined ? interrupted : undefined);
    if (interrupted !== undefined) {
      this.#lost.lose(interrupted);
    }
    this.opened();
    this.#host.changed();
  }

  /** The phase has changed. Once the session is live, an entry offers an interrupted turn again. */
  opened(): void {
    this.#background.rest();
    this.#background.goOn();
    this.#silence.heard();
    if (this.#host.isLive()) {
      this.#resendable.sayInterrupted(this.#host.agentTitle());
      this.#resendable.sayFailed();
      this.#lost.opened();
    }
  }

  submit(draft: Draft): QueuedPrompt {
    this.#resendable.sent();
    const queued = this.#queue.add(draft);
    if (this.#run === undefined) {
      this.#next();
    }
    this.#host.changed();
    return queued;
  }

  /** Prompts don't wait for a decision any more. */
  goOn(): void {
    if (this.#run === undefined) {
      this.#next();
      this.#host.changed();
    }
  }

  removeQueued(id: number): Draft | undefined {
    const found = this.#queue.find(id);
    const run = this.#run;
    if (found !== undefined && run?.queued === found) {
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    } else if (found !== undefined) {
      this.#queue.remove(found);
      this.#host.changed();
    }
    return found?.draft;
  }

  /** Moves a queued prompt to this index among those that are held like it. */
  moveQueued(id: number, to: number): void {
    this.#queue.move(id, to);
    this.#host.changed();
  }

  /** Sends a held prompt, after those that are queued already. */
  sendQueued(id: number): void {
    const found = this.#queue.find(id);
    if (found?.held) {
      this.#queue.remove(found);
      this.submit(found.draft);
    }
  }

  /**
   * Sends a queued prompt into the running turn (T-39). It stays queued if no turn runs any more, or
   * the agent doesn't take it. Resolves with the failure if its attachments can't be read.
   */
  async sendNow(id: number): Promise<Failure | undefined> {
    const queued = this.#queue.find(id);
    try {
      await (queued && this.#steering.send(queued));
      return undefined;
    } catch (error) {
      return describeFailure(error, this.#host.agentTitle());
    }
  }

  /** Sends the prompt of a turn that failed, or had no answer, again; only once. */
  sendAgain(index: number): void {
    const draft = this.#silentEnd.take(index) ?? this.#resendable.take(index);
    if (draft !== undefined) {
      this.submit(draft);
    }
  }

  /** Keeps the prompt of a turn that failed because of a limit until that ends, and sends it then, as long as this runs. */
  sendWhenReset(index: number): void {
    const entry = this.#host.transcript.entries[index];
    const at =
      entry?.kind === 'turn' && entry.outcome.type === 'failed'
        ? entry.outcome.failure.resetsAt
        : undefined;
    const draft = at === undefined ? undefined : this.#resendable.take(index);
    if (at !== undefined && draft !== undefined) {
      const { id } = this.#queue.add(draft, at);
      this.#later.add(at, () => this.sendQueued(id));
      this.#host.changed();
    }
  }

  /**
   * CA-1 to CA-3: notifies the agent once; unfinished entries are shown as canceled immediately. Queued prompts are held:
   * who stops a turn rarely wants what was to follow it.
   */
  cancel(): void {
    const run = this.#run;
    if (run === undefined) {
      this.#cancelBackground();
      return;
    }
    if (this.#turn.kind !== 'running' || this.#turn.cancelling) {
      return;
    }
    this.#queue.hold(run.queued);
    this.#turn = { ...this.#turn, cancelling: true };
    run.connection?.cancel(this.#host.sessionId);
    if (run.index !== undefined) {
      this.#host.transcript.cancelUnfinished(run.index);
    }
    this.#host.cancelRequests();
    const unanswered: Turn = { ...this.#turn, canForce: true };
    this.#timer = setTimeout(() => {
      this.#turn = unanswered;
      this.#host.changed();
    }, this.#host.cancelMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
    this.#host.changed();
  }

  /** Ends a canceled turn that the agent hasn't answered (CA-11); a late answer is ignored. */
  forceFinish(): void {
    const run = this.#run;
    if (run !== undefined && this.#turn.kind === 'running' && this.#turn.canForce) {
      if (run.connection !== undefined) {
        this.#unanswered.add(run);
      }
      this.#background.giveUp();
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    } else if (run === undefined) {
      this.#background.forceFinish();
    }
  }

  /** The connection that the session was open on is gone, or opens it again: the agent tells anew what it does. */
  lost(): void {
    if (this.#awaitsLost) {
      this.#awaitsLost = false;
      this.#lost.lose(this.#lost.draft);
      this.#queue.hold();
    }
    this.#lost.closed();
    this.#background.lost();
  }

  /** Ends the turn without an entry, and holds the queue: the session is closed. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#silence.dispose();
    this.#later.dispose();
    this.#host.recorder?.end();
    this.#background.forget();
    this.#background.lost();
    this.#run = undefined;
    this.#turn = idle;
    this.#queue.hold();
  }

  /** The transcript was reset: its indexes are void, and the prompt returns as history. */
  forgetHistory(): void {
    this.#resendable.forgetHistory();
    this.#silentEnd.forget();
    this.#expected = [];
    this.#steering.forgetHistory();
    this.#background.forgetHistory();
    this.#shown.clear();
    this.#tokens = undefined;
    if (this.#run !== undefined) {
      this.#run.index = undefined;
    }
  }

  /** Returns the updates to show, without an echo of the prompt. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    this.#background.note(update);
    this.#lost.hear(update);
    this.#silentEnd.hear(update);
    let shown: readonly SessionUpdate[] = [update];
    for (const { echo } of this.#expected) {
      shown = shown.flatMap((each) => echo.take(each));
    }
    return shown;
  }

  #next(): void {
    const first = this.#queue.next;
    if (first !== undefined && !this.#awaitsLost) {
      this.#background.forget();
      const run: Run = { queued: first, connection: undefined, index: undefined, began: undefined };
      this.#run = run;
      this.#turn = { kind: 'running', cancelling: false, canForce: false };
      // The prompt stays visible in the queue until it can be sent.
      this.#perform(run).catch((error: unknown) => {
        this.#fail(run, describeFailure(error, this.#host.agentTitle()));
      });
    }
  }

  async #perform(run: Run): Promise<void> {
    const { draft } = run.queued;
    const live = await this.#host.live();
    if (this.#run !== run) {
      return;
    }
    if (this.#host.isHeld() && !this.isCancelling) {
      // Its prompt is still queued.
      this.#run = undefined;
      this.#turn = idle;
      this.#host.changed();
      return;
    }
    await this.#lost.settled();
    if (this.#run !== run) {
      return;
    }
    const ready = await this.#makeReady(draft, live);
    if (this.#run !== run) {
      return;
    }
    const { recorder } = this.#host;
    if (recorder !== undefined && !('failure' in ready)) {
      await recorder.begin(draft.text);
      if (this.#run !== run) {
        return;
      }
    }
    const { blocks } = ready;
    this.#queue.remove(run.queued);
    const began = 'failure' in ready || this.isCancelling ? undefined : Date.now();
    this.#begin(run, blocks, began);
    if ('failure' in ready) {
      this.#fail(run, ready.failure);
    } else if (this.isCancelling) {
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    } else {
      await this.#prompt(run, ready.connection, blocks);
    }
  }

  /** Shows the prompt; without `began` it won't be sent. */
  #begin(run: Run, blocks: readonly Block[], began: number | undefined): void {
    run.began = began;
    this.#silentEnd.over();
    this.#silence.heard();
    if (began !== undefined && this.#turn.kind === 'running') {
      this.#turn = { ...this.#turn, began };
    }
    const turn = began !== undefined && { turn: { began } };
    const { transcript } = this.#host;
    const shown = this.#shown.get(run.queued.id);
    this.#shown.delete(run.queued.id);
    if (shown === undefined) {
      run.index = transcript.add({ kind: 'user', blocks, ...turn });
    } else {
      run.index = shown;
      transcript.replace(shown, { kind: 'user', blocks, ...turn });
    }
    this.#host.changed();
  }

  async #makeReady(
    draft: Draft,
    live: Live,
  ): Promise<Live & { readonly blocks: readonly Block[] }> {
    const text: readonly Block[] = [{ type: 'text', text: draft.text }];
    if ('failure' in live) {
      return { ...live, blocks: text };
    }
    try {
      return { ...live, blocks: await this.#host.blocks(draft, live.connection) };
    } catch (error) {
      return { failure: describeFailure(error, this.#host.agentTitle()), blocks: text };
    }
  }

  async #prompt(run: Run, connection: AgentConnection, blocks: readonly Block[]): Promise<void> {
    run.connection = connection;
    this.#host.prompted();
    this.#lost.forget();
    this.#promptedAt = ++lastPrompt;
    // A prompt that was sent into the turn before may only now become a message.
    const awaited = this.#expected.filter(
      ({ index }) => index !== undefined && this.#steering.awaits(index),
    );
    const inserted = this.#expectEcho(awaited, blocks, run.index);
    try {
      const stopReason = await connection.prompt(
        this.#host.sessionId,
        blocks,
        inserted,
        (usage) => {
          run.usage = usage;
        },
      );
      this.#host.showLimit(undefined);
      this.#finish(run, { type: 'stopped', stopReason });
    } catch (error) {
      const isGone = error instanceof AcpError && error.code === 'exited';
      if (this.isCancelling && this.#host.isLive() && !isGone) {
        // Some agents answer a canceled turn with an error; the user gets the cancellation that
        // they requested (CA-5).
        this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
      } else {
        const failure = this.#describe(error, connection);
        const limit = limitOf(failure, error);
        if (limit !== undefined) {
          this.#host.showLimit(limit);
        }
        this.#fail(run, failure);
      }
    } finally {
      this.#unanswered.delete(run);
    }
  }

  #describe(error: unknown, connection: AgentConnection | undefined): Failure {
    const limit = this.#host.limit();
    return describePromptFailure(error, this.#host.agentTitle(), { connection, limit });
  }

  /** The agent may send this prompt back. Returns what to call when it tells the prompt's id. */
  #expectEcho(
    others: readonly Expected[],
    blocks: readonly Block[],
    index: number | undefined,
  ): (messageId: string) => void {
    const { transcript } = this.#host;
    const echo = new EchoFilter(blocks, {
      hasMessage: (messageId) => transcript.hasMessage(messageId),
      // Without the entry, which went with a history that was reset, there is nothing to name.
      named: (messageId) =>
        index !== undefined &&
        this.#expected.includes(expected) &&
        transcript.nameMessage(index, messageId),
    });
    const expected: Expected = { echo, index };
    this.#expected = [...others, expected].slice(-maxEchoes);
    return (messageId) => echo.name(messageId);
  }

  #fail(run: Run, failure: Failure): void {
    if (this.#run !== run) {
      return;
    }
    const isGone = failure.code === 'exited' || !this.#host.isLive();
    this.#queue.remove(run.queued);
    const isLimited = this.#host.limit()?.status === 'reached';
    const unsent = isGone || isLimited ? this.#queue.hold() : 0;
    if (isGone && run.connection !== undefined) {
      this.#lost.lose(run.queued.draft);
    }
    const place = this.#finish(run, {
      type: 'failed',
      failure: withUnsentPrompts(failure, unsent),
      canResend: true,
    });
    if (place !== undefined) {
      this.#resendable.failed(place, run.queued.draft);
    }
  }

  /** Queues a prompt again that came too late for its turn; its entry, if any, becomes the prompt's. */
  #takeBack(queued: QueuedPrompt, index: number | undefined): void {
    if (index !== undefined) {
      this.#shown.set(queued.id, index);
    }
    const isHeld = this.#isClosed || !this.#host.isLive();
    this.#queue.putFirst(queued, isHeld);
    if (this.#run === undefined) {
      this.#next();
    }
  }

  #recordBackground(isLate: boolean, prompt: string | undefined): void {
    const { recorder, transcript } = this.#host;
    if (prompt === undefined) {
      recorder?.beginUnprompted(lastPromptIn(transcript.entries));
    } else {
      void recorder?.begin(prompt);
    }
    if (isLate) {
      recorder?.acted();
    }
  }

  #recordReported(from: number, { stopReason, error }: SessionActivity): void {
    if (error !== undefined) {
      const failure = this.#describe(workFailed(error), this.#host.connection());
      this.#record(from, { type: 'failed', failure, canResend: false });
    } else if (stopReason !== undefined) {
      this.#record(from, { type: 'stopped', stopReason });
    }
  }

  /** The agent continues the lost turn: it has the time that it needs, and no other turn is woven into it. */
  #goOnWithLost(): void {
    const run = this.#run;
    if (run?.connection !== undefined) {
      return;
    }
    this.#resendable.withdraw();
    this.#awaitsLost = true;
    if (run !== undefined && !this.isCancelling) {
      // Its prompt is still queued.
      this.#run = undefined;
      this.#turn = idle;
    }
    this.#background.begin();
    this.#host.changed();
  }

  /** The prompt of the lost turn that the agent continues: another reload interrupts it again. */
  get #goingOn(): Draft | undefined {
    return this.#awaitsLost ? this.#lost.draft : undefined;
  }

  #workEnded(turn: TurnFacts): void {
    this.noteTokens(turn);
    this.#host.ended('turnEnded', turn);
    if (this.#awaitsLost) {
      this.#awaitsLost = false;
      this.#next();
    }
  }

  #cancelBackground(): void {
    if (this.#awaitsLost) {
      this.#queue.hold();
    }
    if (this.#background.cancel()) {
      this.#host.connection()?.cancel(this.#host.sessionId);
      this.#host.cancelRequests();
    }
  }

  /** Ends the turn; returns the index of the entry about its end, if there is one. */
  #finish(run: Run, outcome: TurnOutcome): number | undefined {
    if (this.#run !== run) {
      return undefined;
    }
    clearTimeout(this.#timer);
    this.#host.recorder?.end();
    const isCancelled = this.isCancelling;
    this.#run = undefined;
    this.#turn = idle;
    // A prompt that was never sent may still be queued.
    this.#queue.remove(run.queued);
    this.#background.rest();
    const place = run.index === undefined ? undefined : this.#record(run.index, outcome);
    if (run.index !== undefined && endsTurn(outcome) && !isCancelled) {
      this.#silentEnd.note(run.index, run.queued.draft);
    }
    if (run.index !== undefined) {
      const turn = factsOf(run);
      this.#noteEnd(run.index, turn);
      this.noteTokens(turn ?? {});
      this.#host.ended(outcome.type === 'failed' ? 'failed' : 'turnEnded', turn);
    }
    this.#next();
    if (this.#goesOn !== undefined) {
      this.#background.begin(this.#goesOn);
      this.#goesOn = undefined;
    }
    this.#background.goOn();
    this.#host.changed();
    return place;
  }

  /** Adds the turn's end and tokens to the prompt's entry, which then shows the duration. */
  #noteEnd(index: number, turn: TurnFacts | undefined): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'user' && turn !== undefined) {
      transcript.replace(index, { ...entry, turn });
    }
  }

  /** Records the end of the turn whose prompt has this index in the transcript. */
  #record(index: number, outcome: TurnOutcome): number | undefined {
    const { transcript } = this.#host;
    transcript.endRejected();
    if (outcome.type === 'failed') {
      transcript.settle();
    } else if (outcome.stopReason === 'cancelled') {
      transcript.cancelUnfinished(index);
    } else if (outcome.stopReason === 'refusal') {
      transcript.drop(index);
    }
    return endsTurn(outcome) ? undefined : transcript.add({ kind: 'turn', outcome });
  }
}

/** What is known of a turn that ends now. */
function factsOf({ began, usage }: Run): TurnFacts | undefined {
  return began === undefined ? undefined : { began, ended: Date.now(), ...(usage && { usage }) };
}
