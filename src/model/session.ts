import type { AgentConnection, SessionInfo } from '../protocol/agentConnection';
import { AcpError } from '../protocol/errors';
import type { SessionUpdate } from '../protocol/updates';
import type { Phase } from '../shared/messages';
import { deferred, watchProgress, withTimeout } from '../util/async';
import { Emitter } from '../util/emitter';
import type { Agent } from './agent';
import {
  agentRemoved,
  agentStopped,
  describeFailure,
  describeLoadFailure,
  loadNotOffered,
} from './failures';
import type { Log } from './ports';
import { SessionFacts } from './sessionFacts';
import { applyInfoPatch } from './sessionInfo';
import { cleanText, labelOf } from './titles';
import { Transcript } from './transcript';

export interface SessionLimits {
  /** A load that brings nothing for so long is given up, in ms. */
  readonly stallMs: number;
  /** How long a load waits until the agent has finished with one that was given up, in ms (T-10). */
  readonly leftoversMs: number;
}

export const sessionLimits: SessionLimits = { stallMs: 120_000, leftoversMs: 30_000 };

/** What a session needs of those who keep it. */
export interface SessionHost {
  readonly limits: SessionLimits;
  readonly log: Log;
  /** The agent as it is configured now; `undefined` when it no longer is. */
  currentAgent(): Agent | undefined;
  /** Settles when the agent has let go of the session, if it was open before. */
  readonly closing: Promise<void>;
  /** `gone` settles when the agent has let go of it. */
  onClosed(gone: Promise<void>): void;
}

/** One attempt to load: whatever comes for another one is too late (invariant 4). */
interface Run {
  readonly abort: AbortController;
  readonly done: ReturnType<typeof deferred<undefined>>;
}

export type Notice = Extract<SessionUpdate, { sessionUpdate: 'notice' }>;

/** An open session: its transcript, and where it stands with the agent. */
export class Session {
  readonly transcript = new Transcript();
  readonly facts = new SessionFacts();
  readonly #host: SessionHost;
  readonly #changed = new Emitter<void>();
  /** The phase or the title changed; not for each update, see `transcript`. */
  readonly onDidChange = this.#changed.event;
  readonly #notice = new Emitter<Notice>();
  /** Something for a person to know now; it is no part of the history (NO-3). */
  readonly onNotice = this.#notice.event;

  #agent: Agent;
  #info: SessionInfo;
  #title: string;
  #phase: Phase = { kind: 'loading', received: 0 };
  #run: Run | undefined;
  /** Where a load was begun and the session not closed since: the agent may hold it. */
  #heldBy: AgentConnection | undefined;
  /** Where it was loaded to the end (T-11). */
  #loadedOn: AgentConnection | undefined;
  /** Whether what arrives belongs to the history. */
  #receiving = false;
  #closed = false;

  constructor(agent: Agent, info: SessionInfo, host: SessionHost) {
    this.#agent = agent;
    this.#info = info;
    this.#title = labelOf(info.title);
    this.#host = host;
  }

  get agent(): Agent {
    return this.#agent;
  }

  get info(): SessionInfo {
    return this.#info;
  }

  /** One clean line, never empty. */
  get title(): string {
    return this.#title;
  }

  get phase(): Phase {
    return this.#phase.kind === 'loading'
      ? { kind: 'loading', received: this.transcript.updates }
      : this.#phase;
  }

  /**
   * Has the agent replay the session into `transcript`. A load under way is shared, a live session is
   * left as it is (T-11). Never rejects; `phase` says how it went.
   */
  async load(): Promise<void> {
    if (this.#run === undefined && !this.#closed && !this.#isLive) {
      this.#begin();
    }
    await this.#run?.done.promise;
  }

  /**
   * Loads again, live or not. A live session whose agent can't close sessions stays as it is: to load
   * it twice could leave the agent with two of it.
   */
  async reload(): Promise<void> {
    if (this.#isLive && this.#agent.supports('close')) {
      this.#loadedOn = undefined;
    }
    await this.load();
  }

  /** Gives up a load under way; what has come of it stays, what still comes is dropped (LOAD-12). */
  cancelLoad(): void {
    if (this.#run !== undefined) {
      this.#end(this.#run, { kind: 'cancelled' });
    }
  }

  /** The last view has gone: lets go of the session here and at the agent (CLOSE-3). */
  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.cancelLoad();
    this.#receiving = false;
    this.transcript.reset();
    const connection = this.#heldBy;
    const isHeld = connection !== undefined && this.#isCurrent(connection);
    const gone = isHeld ? connection.closeSession(this.#info.sessionId) : Promise.resolve();
    this.#host.onClosed(gone);
    this.#changed.dispose();
    this.#notice.dispose();
    await gone;
  }

  /** Takes an update of this session. */
  receive(update: SessionUpdate): void {
    if (update.sessionUpdate === 'session_info_update') {
      this.setInfo(applyInfoPatch(this.#info, update));
    } else {
      this.facts.apply(update);
    }
    if (!this.#receiving) {
      return;
    }
    this.transcript.apply(update);
    if (update.sessionUpdate === 'notice') {
      this.#notice.fire(update);
    }
    if (this.#phase.kind === 'empty' && this.transcript.entries.length > 0) {
      // Some agents answer first and replay then (T-9).
      this.#setPhase({ kind: 'ready' });
    }
  }

  /** What the agent says about the session now, pushed or listed. */
  setInfo(info: SessionInfo): void {
    this.#info = info;
    const title = labelOf(info.title);
    if (title !== this.#title) {
      this.#title = title;
      this.#changed.fire();
    }
  }

  /** The agent came or went. A load under way hears of it by itself. */
  agentChanged(): void {
    if (this.#loadedOn === undefined || this.#isLive) {
      return;
    }
    this.#loadedOn = undefined;
    this.#heldBy = undefined;
    this.#receiving = false;
    this.transcript.settle();
    const { state, title } = this.#agent;
    const failure = state.kind === 'failed' ? state.failure : agentStopped(title);
    this.#setPhase({ kind: 'failed', failure });
  }

  get #isLive(): boolean {
    return this.#loadedOn !== undefined && this.#isCurrent(this.#loadedOn);
  }

  #isCurrent(connection: AgentConnection): boolean {
    const { state } = this.#agent;
    return state.kind === 'ready' && state.connection === connection;
  }

  #begin(): void {
    const run: Run = { abort: new AbortController(), done: deferred() };
    this.#run = run;
    this.#receiving = false;
    this.#setPhase({ kind: 'loading', received: 0 });
    void this.#replay(run).then((phase) => this.#end(run, phase));
  }

  #end(run: Run, phase: Phase): void {
    if (this.#run !== run) {
      return;
    }
    this.#run = undefined;
    run.abort.abort();
    const isLoaded = phase.kind === 'ready' || phase.kind === 'empty';
    this.#receiving = isLoaded;
    this.#loadedOn = isLoaded ? this.#heldBy : undefined;
    this.transcript.settle();
    this.#setPhase(phase);
    // The agent may have gone right after its answer.
    this.agentChanged();
    run.done.resolve(undefined);
  }

  async #replay({ abort: { signal } }: Run): Promise<Phase> {
    const agent = this.#host.currentAgent();
    if (agent === undefined) {
      return { kind: 'failed', failure: agentRemoved(this.#agent.title) };
    }
    this.#agent = agent;
    let describe = describeFailure;
    try {
      const connection = await agent.connect();
      signal.throwIfAborted();
      if (!connection.capabilities.load) {
        return { kind: 'failed', failure: loadNotOffered(agent.title) };
      }
      describe = describeLoadFailure;
      await this.#awaitLeftovers(connection);
      signal.throwIfAborted();
      await this.#loadFrom(connection, signal);
    } catch (error) {
      if (!signal.aborted) {
        const id = cleanText(this.#info.sessionId, 100);
        this.#host.log.warn(`${agent.id}: loading ${id} failed: ${String(error)}`);
      }
      return { kind: 'failed', failure: describe(error, agent.title) };
    }
    return { kind: this.transcript.entries.length === 0 ? 'empty' : 'ready' };
  }

  /** Waits until nothing of an earlier load can come any more: the wire wouldn't tell them apart (T-10). */
  async #awaitLeftovers(connection: AgentConnection): Promise<void> {
    const { sessionId } = this.#info;
    await this.#host.closing;
    await withTimeout(
      connection.whenLoadsEnded(sessionId),
      this.#host.limits.leftoversMs,
      () => new AcpError('timeout', 'a load that was given up has not ended'),
    );
    if (this.#heldBy === connection) {
      await connection.closeSession(sessionId);
    }
  }

  async #loadFrom(connection: AgentConnection, signal: AbortSignal): Promise<void> {
    const { sessionId, cwd, additionalDirectories } = this.#info;
    this.transcript.reset();
    this.#receiving = true;
    this.#heldBy = connection;
    const stall = new AbortController();
    const watch = watchProgress(
      () => this.transcript.updates,
      this.#host.limits.stallMs,
      () => stall.abort(),
    );
    try {
      const either = AbortSignal.any([signal, stall.signal]);
      await connection.loadSession({ sessionId, cwd, additionalDirectories }, either);
    } catch (error) {
      if (stall.signal.aborted) {
        throw new AcpError('timeout', 'nothing came of session/load', {}, { cause: error });
      }
      if (!signal.aborted) {
        // The agent has answered, so it holds nothing.
        this.#heldBy = undefined;
      }
      throw error;
    } finally {
      watch.dispose();
    }
  }

  #setPhase(phase: Phase): void {
    this.#phase = phase;
    this.#changed.fire();
  }
}
