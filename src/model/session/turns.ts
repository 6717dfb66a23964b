import type { AgentConnection } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionUpdate } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import type { Draft, QueuedPrompt, Turn } from '../../shared/prompt/prompt';
import type { Block } from '../../shared/transcript/content';
import type { TurnOutcome } from '../../shared/transcript/entries';
import { describeFailure, describeUnsent, turnInterrupted, withUnsentPrompts } from '../failures';
import type { Transcript } from '../transcript/transcript';
import { EchoFilter } from './echoFilter';

/** A live connection to the session, or why there is none. */
export type Live = { readonly connection: AgentConnection } | { readonly failure: Failure };

export interface TurnsHost {
  readonly sessionId: string;
  readonly agentTitle: string;
  readonly transcript: Transcript;
  /** How long an agent has to answer a cancel before the turn may be ended here, in ms (CA-11). */
  readonly cancelMs: number;
  /** Loads or resumes the session first when it isn't live (PR-1). Never rejects. */
  live(): Promise<Live>;
  isLive(): boolean;
  /** What of a draft goes to this agent. */
  blocks(draft: Draft, connection: AgentConnection): Promise<readonly Block[]>;
  /** Settles what the agent has asked of a person as cancelled (PE-4). */
  cancelRequests(): void;
  changed(): void;
  ended(kind: 'turnEnded' | 'failed'): void;
}

interface Run {
  readonly queued: QueuedPrompt;
  connection: AgentConnection | undefined;
  /** Place of its prompt in the transcript, while it is there. */
  index: number | undefined;
  /** When its prompt was sent. */
  began: number | undefined;
}

/** What of a session's turns would be lost with the window. */
export interface Unfinished {
  /** Prompts that weren't sent yet, held back or not. */
  readonly queue: readonly QueuedPrompt[];
  /** The prompt that the agent works on. */
  readonly running?: Draft;
  /** The prompt that an earlier window took away, as long as it is offered again. */
  readonly interrupted?: Draft;
}

const idle: Turn = { kind: 'idle' };

/** Counts the prompts of all sessions. */
let lastPrompt = 0;

/** The turns of one session, one at a time (PR-5), and the prompts that wait for theirs. */
export class Turns {
  readonly #host: TurnsHost;
  #turn: Turn = idle;
  #queue: readonly QueuedPrompt[] = [];
  #lastId = 0;
  #run: Run | undefined;
  #echo: EchoFilter | undefined;
  #promptedAt = 0;
  /** Prompts that were ended here and that the agent hasn't answered yet. */
  readonly #unanswered = new Set<Run>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Prompts of failed turns, by the place of the entry that says so. */
  readonly #failed = new Map<number, Draft>();
  #interrupted: Draft | undefined;
  /** The transcript says that a turn was interrupted. */
  #saysInterrupted = false;

  constructor(host: TurnsHost) {
    this.#host = host;
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** What waits, in the order in which it will be sent. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue;
  }

  /** Rises with each prompt sent, over all sessions; 0 before the first one. */
  get promptedAt(): number {
    return this.#promptedAt;
  }

  /** Whether what the agent asks now belongs to a turn that was cancelled (T-27). */
  get isCancelling(): boolean {
    return this.#turn.kind === 'running' ? this.#turn.cancelling : this.#unanswered.size > 0;
  }

  /** A number for the turn that runs; `undefined` when none does, or it was cancelled. */
  get current(): number | undefined {
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

  /** Takes back what an earlier window has left. Nothing of it is sent by itself. */
  restore(queue: readonly Draft[], interrupted: Draft | undefined): void {
    const held = queue.map((draft) => ({ id: ++this.#lastId, draft, held: true as const }));
    this.#queue = [...held, ...this.#queue];
    this.#interrupted = this.#run === undefined ? interrupted : undefined;
    this.opened();
    this.#host.changed();
  }

  /** The session is open, with its history: a turn that was interrupted is offered again after it. */
  opened(): void {
    const draft = this.#interrupted;
    if (draft !== undefined && !this.#saysInterrupted && this.#host.isLive()) {
      this.#saysInterrupted = true;
      const failure = turnInterrupted(this.#host.agentTitle);
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

  /** Sends a prompt that was held back, after those that wait already. */
  sendQueued(id: number): void {
    const found = this.#queue.find((queued) => queued.id === id && queued.held);
    if (found !== undefined) {
      this.#queue = this.#queue.filter((queued) => queued !== found);
      this.submit(found.draft);
    }
  }

  /** Sends the prompt of a failed turn again; once. */
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

  /** CA-1 to CA-3: the agent is told once; what is unfinished shows as cancelled at once. */
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
    // Waiting for it is no reason to keep a process alive.
    this.#timer.unref();
    this.#host.changed();
  }

  /** Ends here a turn that was cancelled and isn't answered (CA-11); its late answer counts for nothing. */
  forceFinish(): void {
    const run = this.#run;
    if (run !== undefined && this.#turn.kind === 'running' && this.#turn.canForce) {
      if (run.connection !== undefined) {
        this.#unanswered.add(run);
      }
      this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
    }
  }

  /** Ends everything without a word: the session is closed. */
  close(): void {
    clearTimeout(this.#timer);
    this.#run = undefined;
    this.#turn = idle;
    this.#hold();
  }

  /** The transcript begins anew: what was known of places in it is void, and a prompt comes back as history. */
  forgetHistory(): void {
    this.#failed.clear();
    this.#saysInterrupted = false;
    this.#echo = undefined;
    if (this.#run !== undefined) {
      this.#run.index = undefined;
    }
  }

  /** What of an update is to be shown. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    return this.#echo === undefined ? [update] : this.#echo.take(update);
  }

  #next(): void {
    const first = this.#queue.find(({ held }) => !held);
    if (first !== undefined) {
      const run: Run = { queued: first, connection: undefined, index: undefined, began: undefined };
      this.#run = run;
      this.#turn = { kind: 'running', cancelling: false, canForce: false };
      // It stays in the queue, where it can be seen, until it can be sent.
      this.#perform(run).catch((error: unknown) => {
        this.#fail(run, describeFailure(error, this.#host.agentTitle));
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

  /** Shows the prompt; without a time it is not going to be sent. */
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
      return { failure: describeUnsent(error, this.#host.agentTitle), blocks: text };
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
        // Some agents answer a cancelled turn with an error; to the person it is what was asked for (CA-5).
        this.#finish(run, { type: 'stopped', stopReason: 'cancelled' });
      } else {
        this.#fail(run, describeFailure(error, this.#host.agentTitle));
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

  /** What waits isn't sent by itself any more; how many prompts that are. */
  #hold(): number {
    const waiting = this.#queue.filter(({ held }) => !held).length;
    if (waiting > 0) {
      this.#queue = this.#queue.map((queued) => ({ ...queued, held: true }));
    }
    return waiting;
  }

  /** The place of the entry that says how it ended, if that is worth a word. */
  #finish(run: Run, outcome: TurnOutcome): number | undefined {
    if (this.#run !== run) {
      return undefined;
    }
    clearTimeout(this.#timer);
    this.#run = undefined;
    this.#turn = idle;
    // One that was never sent may still be there.
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

  /** Its prompt says from now on how long the turn has taken. */
  #noteEnd(index: number, began: number | undefined): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'user' && began !== undefined) {
      transcript.replace(index, { ...entry, turn: { began, ended: Date.now() } });
    }
  }

  /** Writes the end of the turn whose prompt is at this place into the transcript. */
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
