import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionUpdate } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import type { Draft, QueuedPrompt, Turn } from '../../shared/prompt/prompt';
import type { Block } from '../../shared/transcript/content';
import type { TurnOutcome } from '../../shared/transcript/entries';
import { describeFailure, describeUnsent, turnInterrupted, withUnsentPrompts } from '../failures';
import type { TurnRecorder } from '../review/turnRecorder';
import type { Transcript } from '../transcript/transcript';
import { EchoFilter } from './echoFilter';

/** A live connection to the session, or why there is none. */
export type Live = { readonly connection: AgentConnection } | { readonly failure: Failure };

export interface TurnsHost {
  readonly sessionId: string;
  readonly transcript: Transcript;
  /** How long the agent has to answer a cancel before the user may end the turn here, in ms (CA-11). */
  readonly cancelMs: number;
  /** Changes when the agent reports its name, or with the settings. */
  agentTitle(): string;
  /** Loads or resumes the session first if it isn't live (PR-1). Never rejects. */
  live(): Promise<Live>;
  isLive(): boolean;
  /** Converts a draft to the content blocks for this agent. */
  blocks(draft: Draft, connection: AgentConnection): Promise<readonly Block[]>;
  /** Settles the agent's pending questions as canceled (PE-4). */
  cancelRequests(): void;
  changed(): void;
  ended(kind: 'turnEnded' | 'failed'): void;
  /** Records what the turns change; nothing does if it is missing. */
  readonly recorder?: TurnRecorder | undefined;
}

interface Run {
  readonly queued: QueuedPrompt;
  connection: AgentConnection | undefined;
  /** Index of the prompt's entry in the transcript, while it exists. */
  index: number | undefined;
  /** When the prompt was sent, in ms since the epoch. */
  began: number | undefined;
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

/** Counts the prompts of all sessions; see `promptedAt`. */
let lastPrompt = 0;

/** The turns of one session, one at a time (PR-5), and the queued prompts. */
export class Turns {
  readonly #host: TurnsHost;
  #turn: Turn = idle;
  #queue: readonly QueuedPrompt[] = [];
  #lastId = 0;
  #run: Run | undefined;
  #echo: EchoFilter | undefined;
  #promptedAt = 0;
  /** Turns that were ended here and that the agent hasn't answered yet. */
  readonly #unanswered = new Set<Run>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Prompts of failed turns, by the index of the entry with the failure. */
  readonly #failed = new Map<number, Draft>();
  #interrupted: Draft | undefined;
  /** The transcript has an entry for the interrupted turn. */
  #saysInterrupted = false;

  constructor(host: TurnsHost) {
    this.#host = host;
  }

  get current(): Turn {
    return this.#turn;
  }

  /** Queued prompts, in the order in which they will be sent. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue;
  }

  /** The sequence number, across all sessions, of the session's last prompt; 0 before the first one. */
  get promptedAt(): number {
    return this.#promptedAt;
  }

  /** Whether the agent's requests now belong to a canceled turn (T-27). */
  get isCancelling(): boolean {
    return this.#turn.kind === 'running' ? this.#turn.cancelling : this.#unanswered.size > 0;
  }

  /** Identifies the running turn; `undefined` when none runs, or it is being canceled. */
  get runningId(): number | undefined {
    return this.#turn.kind === 'running' && !this.#turn.cancelling
      ? this.#run?.queued.id
      : undefined;
  }

  get unfinished(): Unfinished {
    const run = this.#run;
    const isSent = run !== undefined && !this.#queue.includes(run.queued);
    return {
      queue: this.#queue,
      ...(isSent && { running: run.queued.draft }),
      ...(this.#interrupted && { interrupted: this.#interrupted }),
    };
  }

  /** Restores the prompts that an earlier window has left. None is sent automatically. */
  restore(queue: readonly Draft[], interrupted: Draft | undefined): void {
    const held = queue.map((draft) => ({ id: ++this.#lastId, draft, held: true as const }));
    this.#queue = [...held, ...this.#queue];
    this.#interrupted = this.#run === undefined ? interrupted : undefined;
    this.opened();
    this.#host.changed();
  }

  /** The phase has changed. Once the session is live, an entry offers an interrupted turn again. */
  opened(): void {
    const draft = this.#interrupted;
    if (draft !== undefined && !this.#saysInterrupted && this.#host.isLive()) {
      this.#saysInterrupted = true;
      const failure = turnInterrupted(this.#host.agentTitle());
      const outcome: TurnOutcome = { type: 'failed', failure, canResend: true };
      this.#failed.set(this.#host.transcript.add({ kind: 'turn', outcome }), draft);
    }
  }

  submit(draft: Draft): void {
    this.#interrupted = undefined;
    this.#queue = [...this.#queue, { id: ++this.#lastId, draft }];
    if (this.#run === undefined) {
      this.#next();
    }
    this.#host.changed();
  }

  removeQueued(id: number): Draft | undefined {
    const found = this.#queue.find((queued) => queued.id === id);
    const run = this.#run;
    if (found !== undefined && run?.queued === found) {
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    } else if (found !== undefined) {
      this.#queue = this.#queue.filter((queued) => queued !== found);
      this.#host.changed();
    }
    return found?.draft;
  }

  /** Sends a held prompt, after those that are queued already. */
  sendQueued(id: number): void {
    const found = this.#queue.find((queued) => queued.id === id && queued.held);
    if (found !== undefined) {
      this.#queue = this.#queue.filter((queued) => queued !== found);
      this.submit(found.draft);
    }
  }

  /** Sends the prompt of a failed turn again; only once. */
  sendAgain(index: number): void {
    const draft = this.#failed.get(index);
    if (draft === undefined) {
      return;
    }
    this.#failed.delete(index);
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'turn' && entry.outcome.type === 'failed') {
      transcript.replace(index, { kind: 'turn', outcome: { ...entry.outcome, canResend: false } });
    }
    this.submit(draft);
  }

  /** CA-1 to CA-3: notifies the agent once; unfinished entries are shown as canceled immediately. */
  cancel(): void {
    const run = this.#run;
    if (run === undefined || this.#turn.kind === 'idle' || this.#turn.cancelling) {
      return;
    }
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
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    }
  }

  /** Ends the turn without an entry, and holds the queue: the session is closed. */
  close(): void {
    clearTimeout(this.#timer);
    this.#host.recorder?.end();
    this.#run = undefined;
    this.#turn = idle;
    this.#hold();
  }

  /** The transcript was reset: its indexes are void, and the prompt returns as history. */
  forgetHistory(): void {
    this.#failed.clear();
    this.#saysInterrupted = false;
    this.#echo = undefined;
    if (this.#run !== undefined) {
      this.#run.index = undefined;
    }
  }

  /** Returns the updates to show, without an echo of the prompt. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    return this.#echo === undefined ? [update] : this.#echo.take(update);
  }

  #next(): void {
    const first = this.#queue.find(({ held }) => !held);
    if (first !== undefined) {
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
    this.#queue = this.#queue.filter((queued) => queued !== run.queued);
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
    if (began !== undefined && this.#turn.kind === 'running') {
      this.#turn = { ...this.#turn, began };
    }
    const turn = began !== undefined && { turn: { began } };
    run.index = this.#host.transcript.add({ kind: 'user', blocks, ...turn });
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
      return { failure: describeUnsent(error, this.#host.agentTitle()), blocks: text };
    }
  }

  async #prompt(run: Run, connection: AgentConnection, blocks: readonly Block[]): Promise<void> {
    run.connection = connection;
    this.#promptedAt = ++lastPrompt;
    this.#echo = new EchoFilter(blocks);
    try {
      const stopReason = await connection.prompt(this.#host.sessionId, blocks);
      this.#finish(run, { type: 'stopped', stopReason });
    } catch (error) {
      const isGone = error instanceof AcpError && error.code === 'exited';
      if (this.isCancelling && this.#host.isLive() && !isGone) {
        // Some agents answer a canceled turn with an error; the user gets the cancellation that
        // they requested (CA-5).
        this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
      } else {
        this.#fail(run, describeFailure(error, this.#host.agentTitle()));
      }
    } finally {
      this.#unanswered.delete(run);
    }
  }

  #fail(run: Run, failure: Failure): void {
    if (this.#run !== run) {
      return;
    }
    const isGone = failure.code === 'exited' || !this.#host.isLive();
    this.#queue = this.#queue.filter((queued) => queued !== run.queued);
    const unsent = isGone ? this.#hold() : 0;
    const place = this.#finish(run, {
      type: 'failed',
      failure: withUnsentPrompts(failure, unsent),
      canResend: true,
    });
    if (place !== undefined) {
      this.#failed.set(place, run.queued.draft);
    }
  }

  /** Holds all queued prompts, so that none is sent automatically; returns how many weren't held. */
  #hold(): number {
    const waiting = this.#queue.filter(({ held }) => !held).length;
    if (waiting > 0) {
      this.#queue = this.#queue.map((queued) => ({ ...queued, held: true }));
    }
    return waiting;
  }

  /** Ends the turn; returns the index of the entry about its end, if there is one. */
  #finish(run: Run, outcome: TurnOutcome): number | undefined {
    if (this.#run !== run) {
      return undefined;
    }
    clearTimeout(this.#timer);
    this.#host.recorder?.end();
    this.#run = undefined;
    this.#turn = idle;
    // A prompt that was never sent may still be queued.
    this.#queue = this.#queue.filter((queued) => queued !== run.queued);
    const place = run.index === undefined ? undefined : this.#record(run.index, outcome);
    if (run.index !== undefined) {
      this.#noteEnd(run.index, run.began);
      this.#host.ended(outcome.type === 'failed' ? 'failed' : 'turnEnded');
    }
    this.#next();
    this.#host.changed();
    return place;
  }

  /** Adds the turn's end to the prompt's entry, which then shows the duration. */
  #noteEnd(index: number, began: number | undefined): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'user' && began !== undefined) {
      transcript.replace(index, { ...entry, turn: { began, ended: Date.now() } });
    }
  }

  /** Records the end of the turn whose prompt has this index in the transcript. */
  #record(index: number, outcome: TurnOutcome): number | undefined {
    const { transcript } = this.#host;
    if (outcome.type === 'failed') {
      transcript.settle();
    } else if (outcome.stopReason === 'cancelled') {
      transcript.cancelUnfinished(index);
    } else if (outcome.stopReason === 'refusal') {
      transcript.drop(index);
    }
    const isPlain = outcome.type === 'stopped' && outcome.stopReason === 'end_turn';
    return isPlain ? undefined : transcript.add({ kind: 'turn', outcome });
  }
}
