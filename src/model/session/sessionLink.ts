import { setTimeout as pause } from 'node:timers/promises';
import type {
  AgentConnection,
  SessionInfo,
  SessionSetup,
  SessionTarget,
} from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { Failure } from '../../shared/failure';
import type { Phase } from '../../shared/transcript/webviewMessages';
import { deferred, watchProgress, withTimeout } from '../../util/async';
import { isElsewhere } from '../../util/elsewhere';
import { getStack } from '../../util/getStack';
import type { Agent } from '../agent';
import type { OwnServer } from '../calls/ownTools';
import {
  agentRemoved,
  agentStopped,
  describeFailure,
  describeLoadFailure,
  loadNotOffered,
  offerToForget,
  resumeNotOffered,
} from '../failures/failures';
import type { Log, McpServers, SystemPrompts } from '../ports';
import { cleanText } from '../text/titles';
import type { Transcript } from '../transcript/transcript';
import type { Live } from '../turns/turns';
import {
  mayUseOwnServers,
  type OwnServers,
  type ServedSession,
  SessionOpening,
} from './ownServers';

export interface SessionLimits {
  /** A load without any update for this long is given up, in ms. */
  readonly stallMs: number;
  /** How long a load waits for the agent to finish an earlier one that was canceled, in ms (T-10). */
  readonly leftoversMs: number;
  /** How long the agent has to answer a cancel before the user may end the turn here, in ms (CA-11). */
  readonly cancelMs: number;
  /** What an agent still sends so soon after a turn, or after a load, belongs to it (T-9, T-20), in ms. */
  readonly tailMs: number;
  /** An agent whose own work has sent nothing for so long, with no unfinished call, has ended it, in ms. */
  readonly quietMs: number;
  /** An agent at work that has said and asked nothing for so long is shown as silent, in ms. */
  readonly silentMs: number;
  /**
   * Pauses before a session that the agent calls open elsewhere is asked for again, in ms: a process of before may
   * not have let go of it yet (T-60).
   */
  readonly heldMs: readonly number[];
}

export const sessionLimits: SessionLimits = {
  stallMs: 120_000,
  leftoversMs: 30_000,
  cancelMs: 10_000,
  tailMs: 2_000,
  quietMs: 10_000,
  silentMs: 300_000,
  heldMs: [1_000, 3_000],
};

export interface SessionLinkHost {
  readonly transcript: Transcript;
  readonly limits: SessionLimits;
  readonly log: Log;
  readonly mcp: McpServers;
  readonly ownServers?: OwnServers | undefined;
  served(): ServedSession;
  readonly systemPrompts?: SystemPrompts | undefined;
  /** Rejects with `AcpError` when the folder doesn't exist. */
  mustBeThere(folder: string): Promise<void>;
  info(): SessionInfo;
  /** The agent in its current configuration; `undefined` when it is no longer configured. */
  currentAgent(): Agent | undefined;
  /** Whether it was created here and never prompted, so that there is no history. */
  isUnprompted(): boolean;
  /** Settles when the agent has closed an earlier instance of the session, if there was one. */
  readonly closing: Promise<void>;
  /** The agent is about to be asked for the history, and the transcript is about to be reset. */
  beginHistory(): Promise<void>;
  phaseChanged(): void;
  /** The agent has opened the session, with this answer. */
  opened(setup: SessionSetup): void;
  /** The agent's state for the session is void: the session is opened again, or the connection was lost. */
  lost(): void;
}

/** `resume` doesn't replay the history (RES-4). */
type Mode = 'load' | 'resume';

/** `any`: continue the session, with its history if the agent can load it (PR-1). */
type Wanted = Mode | 'any';

/** An attempt to open: results of a superseded attempt are ignored (invariant 4). */
interface Run {
  readonly wanted: Wanted;
  readonly abort: AbortController;
  readonly done: ReturnType<typeof deferred<undefined>>;
}

interface Settings {
  readonly set: Pick<SessionTarget, 'mcpServers' | 'systemPrompt'>;
  readonly opening: SessionOpening;
}

/**
 * What the user has set up for a session. MCP servers are programs and secrets of this machine, so another one gets
 * none; our own servers it reaches only by its connection, and in a session whose folder is one of this machine, too.
 */
export async function settingsFor(
  agent: Agent,
  { capabilities, info }: Pick<AgentConnection, 'capabilities' | 'info'>,
  { mcp, ownServers, systemPrompts }: Pick<SessionLinkHost, 'mcp' | 'ownServers' | 'systemPrompts'>,
  cwd: string,
  sessionId?: string,
): Promise<Settings> {
  const { id, config } = agent;
  const systemPrompt = await systemPrompts?.find(id, cwd);
  const isHere = config.remote === undefined;
  const opening = new SessionOpening(id, cwd, sessionId);
  const servers = isHere ? await mcp.servers(cwd, info.name, opening) : [];
  const taken = servers.map(({ name }) => name);
  const offer =
    mayUseOwnServers(agent) && !isElsewhere(cwd)
      ? await ownServers?.offer({
          ...{ agentId: id, capabilities, taken, agentName: info.name },
          isElsewhere: !isHere,
        })
      : undefined;
  opening.with(offer);
  return {
    set: {
      mcpServers: offer === undefined ? servers : [offer.server, ...servers],
      ...(systemPrompt && { systemPrompt }),
    },
    opening,
  };
}

/** The state of an open session on its agent: opened, being opened, or lost. */
export class SessionLink {
  readonly #host: SessionLinkHost;
  #agent: Agent;
  #phase: Phase = { kind: 'loading', received: 0 };
  /** The agent's output while it starts, see `AgentState`. */
  #prints: string | undefined;
  #run: Run | undefined;
  #mode: Mode = 'load';
  /** The connection that may hold the session: opening has begun on it, and no close since. */
  #heldBy: AgentConnection | undefined;
  /** The connection on which the session is fully opened (T-11). */
  #openOn: AgentConnection | undefined;
  /** Whether arriving updates belong to the history. */
  #receiving = false;
  /** Whether the agent's process has ended, or couldn't be started, so that the session waits for it. */
  #waitsForAgent = false;
  /** A resume is pending, and the earlier history is still shown. */
  #keepsCopy = false;
  #opening: SessionOpening | undefined;
  #closed = false;

  constructor(agent: Agent, host: SessionLinkHost) {
    this.#agent = agent;
    this.#host = host;
  }

  get agent(): Agent {
    return this.#agent;
  }

  get phase(): Phase {
    const received = this.#host.transcript.updates;
    return this.#phase.kind === 'loading'
      ? { kind: 'loading', received, ...(this.#prints !== undefined && { prints: this.#prints }) }
      : this.#phase;
  }

  get isReceiving(): boolean {
    return this.#receiving;
  }

  /** The connection that the session is open on. */
  get connection(): AgentConnection | undefined {
    return this.isLive ? this.#openOn : undefined;
  }

  get isLive(): boolean {
    return this.#openOn !== undefined && this.#isCurrent(this.#openOn);
  }

  /** Our own server, if the agent has connected to it. */
  get ownServer(): OwnServer | undefined {
    return this.#opening?.ownServer;
  }

  /** Joins a pending attempt; a live session stays as it is (T-11). Never rejects; see `phase`. */
  async open(wanted: Wanted = this.#mode): Promise<void> {
    if (this.#run === undefined && !this.#closed && !this.isLive) {
      this.#begin(wanted);
    }
    await this.#run?.done.promise;
  }

  /**
   * Like `open`, but also reopens a live session if the agent can close it first: otherwise the agent
   * would have two instances of it.
   */
  async reopen(): Promise<void> {
    if (this.isLive && this.#agent.supports('close')) {
      this.#openOn = undefined;
    }
    await this.open();
  }

  /**
   * The agent runs again, whoever has started it: opens what its process took along, or wasn't there for. Once the
   * user has restarted it (`isRestart`), also what it couldn't open.
   */
  agentReturned(isRestart: boolean): void {
    const agent = this.#host.currentAgent();
    const canOpen = agent?.supports('load') === true || agent?.supports('resume') === true;
    const isOver = !canOpen && !this.#host.isUnprompted();
    const wants = this.#waitsForAgent || (isRestart && this.#phase.kind === 'failed');
    if (wants && !isOver) {
      void this.open(this.#mode === 'load' ? 'any' : 'resume');
    }
  }

  /** Opens the session for a prompt (PR-1). Never rejects. */
  async live(): Promise<Live> {
    if (!this.isLive) {
      await this.open(this.#mode === 'load' ? 'any' : 'resume');
    }
    const { connection } = this;
    if (connection !== undefined) {
      return { connection };
    }
    const { phase } = this;
    return {
      failure: phase.kind === 'failed' ? phase.failure : agentStopped(this.#agent.title),
    };
  }

  /** Takes over a session that the agent has just created on this connection. */
  adopt(connection: AgentConnection, phase: Phase, opening: SessionOpening | undefined): void {
    this.#take(opening);
    opening?.opened(this.#host.served());
    this.#heldBy = connection;
    this.#openOn = connection;
    this.#receiving = true;
    this.#mode = phase.kind === 'resumed' ? 'resume' : 'load';
    this.#setPhase(phase);
    // The agent may have exited right after its answer.
    this.agentChanged();
  }

  /** Cancels the pending attempt; received entries stay, later ones are dropped (LOAD-12). */
  cancel(): void {
    const run = this.#run;
    if (run !== undefined) {
      this.#end(run, { kind: 'cancelled' });
      run.abort.abort();
    }
  }

  /** Closes the session here, then on the agent (CLOSE-3); resolves when the agent has closed it. */
  close(): Promise<void> {
    this.#closed = true;
    this.cancel();
    this.#take(undefined);
    this.#receiving = false;
    const connection = this.#heldBy;
    const isHeld = connection !== undefined && this.#isCurrent(connection);
    return isHeld ? connection.closeSession(this.#host.info().sessionId) : Promise.resolve();
  }

  /**
   * Signing out invalidates the agent's sessions (AUTH-12): this one is not live until it is opened
   * again. Only for agents that can close sessions: on any other, opening it again would create a
   * second instance.
   */
  async signedOut(): Promise<void> {
    const { connection } = this;
    if (connection === undefined) {
      return;
    }
    this.#openOn = undefined;
    this.#take(undefined);
    this.#receiving = false;
    this.#host.lost();
    this.#host.transcript.settle();
    const refused = new AcpError('authRequired', 'The agent was signed out');
    this.#setPhase({ kind: 'failed', failure: describeFailure(refused, this.#agent.title) });
    await connection.closeSession(this.#host.info().sessionId);
    if (this.#run === undefined && this.#heldBy === connection) {
      this.#heldBy = undefined;
    }
  }

  /** Whether the history shown was kept for a pending resume. */
  get showsCopy(): boolean {
    return this.#keepsCopy && this.#run !== undefined;
  }

  /** Drops the kept history: the agent replays history even for a resume (RES-4). */
  dropCopy(): void {
    this.#keepsCopy = false;
    this.#host.transcript.reset();
  }

  /** Updates have arrived although the history seemed to be empty (T-9, RES-4). */
  gotHistory(isPrompted: boolean): void {
    const { kind } = this.#phase;
    // The answer to a prompt isn't the history that a resumed session lacks (RES-6).
    if (kind === 'empty' || (kind === 'resumed' && !isPrompted)) {
      this.#setPhase({ kind: 'ready' });
    }
  }

  /** The agent's state has changed. A pending attempt notices that by itself. */
  agentChanged(): void {
    this.#notePrints();
    if (this.#openOn === undefined || this.isLive) {
      return;
    }
    this.#openOn = undefined;
    this.#heldBy = undefined;
    this.#take(undefined);
    this.#receiving = false;
    this.#waitsForAgent = true;
    this.#host.lost();
    this.#host.transcript.settle();
    const { state } = this.#agent;
    const failure = state.kind === 'failed' ? state.failure : this.#whyStopped();
    this.#setPhase({ kind: 'failed', failure });
  }

  #whyStopped(): Failure {
    const { title } = this.#agent;
    const now = this.#host.currentAgent();
    const isRemoved = now === undefined || now.config.removed !== undefined;
    return isRemoved ? agentRemoved(title) : agentStopped(title);
  }

  #notePrints(): void {
    const { state } = this.#agent;
    const prints = state.kind === 'starting' ? state.prints : undefined;
    if (this.#prints !== prints) {
      this.#prints = prints;
      this.#host.phaseChanged();
    }
  }

  #isCurrent(connection: AgentConnection): boolean {
    const { state } = this.#agent;
    return state.kind === 'ready' && state.connection === connection;
  }

  #begin(wanted: Wanted): void {
    const run: Run = { wanted, abort: new AbortController(), done: deferred() };
    this.#run = run;
    this.#mode = wanted === 'any' ? 'load' : wanted;
    this.#receiving = false;
    this.#waitsForAgent = false;
    this.#setPhase({ kind: 'loading', received: 0 });
    void this.#perform(run).then((phase) => this.#end(run, phase));
  }

  #end(run: Run, phase: Phase): void {
    if (this.#run !== run) {
      return;
    }
    this.#run = undefined;
    const isOpen = phase.kind !== 'cancelled' && phase.kind !== 'failed';
    this.#receiving = isOpen;
    this.#openOn = isOpen ? this.#heldBy : undefined;
    if (!isOpen) {
      this.#take(undefined);
    }
    this.#keepsCopy = false;
    if (phase.kind === 'failed') {
      this.#host.lost();
    }
    this.#host.transcript.settle();
    this.#setPhase(phase);
    // The agent may have exited right after its answer.
    this.agentChanged();
    run.done.resolve(undefined);
  }

  async #perform(run: Run): Promise<Phase> {
    const {
      wanted,
      abort: { signal },
    } = run;
    const agent = this.#host.currentAgent();
    if (agent === undefined) {
      return { kind: 'failed', failure: agentRemoved(this.#agent.title) };
    }
    this.#agent = agent;
    let describe = describeFailure;
    let mode: Mode;
    try {
      await this.#host.mustBeThere(this.#host.info().cwd);
      signal.throwIfAborted();
      const connection = await this.#connect(agent, run);
      signal.throwIfAborted();
      this.#agent = agent.current;
      const { capabilities } = connection;
      mode =
        wanted === 'any' ? (capabilities.load || !capabilities.resume ? 'load' : 'resume') : wanted;
      if (!capabilities[mode]) {
        const describeMissing = mode === 'load' ? loadNotOffered : resumeNotOffered;
        return { kind: 'failed', failure: describeMissing(agent.title) };
      }
      describe = describeLoadFailure;
      await this.#awaitLeftovers(connection);
      signal.throwIfAborted();
      await this.#openWhenFree(mode, connection, signal);
    } catch (error) {
      if (!signal.aborted && this.#agent.current !== this.#agent) {
        return this.#perform(run);
      }
      if (!signal.aborted) {
        const id = cleanText(this.#host.info().sessionId, 100);
        this.#host.log.warn(`${agent.id}: opening ${id} failed: ${getStack(error)}`);
      }
      const failure = describe(error, agent.title);
      const isListed = agent.state.kind !== 'ready' || agent.supports('list');
      return { kind: 'failed', failure: isListed ? failure : offerToForget(failure) };
    }
    const isEmpty = this.#host.transcript.entries.length === 0 && !this.#host.isUnprompted();
    return { kind: isEmpty ? (mode === 'load' ? 'empty' : 'resumed') : 'ready' };
  }

  async #connect(agent: Agent, run: Run): Promise<AgentConnection> {
    try {
      return await agent.connect();
    } catch (error) {
      this.#waitsForAgent = this.#run === run;
      throw error;
    }
  }

  /** Waits a little for a process of before that may not have let go of the session yet. */
  async #openWhenFree(mode: Mode, connection: AgentConnection, signal: AbortSignal): Promise<void> {
    for (const ms of this.#host.limits.heldMs) {
      try {
        await this.#openOnAgent(mode, connection, signal);
        return;
      } catch (error) {
        if (!(error instanceof AcpError && error.code === 'held')) {
          throw error;
        }
        await pause(ms, undefined, { signal, ref: false });
      }
    }
    await this.#openOnAgent(mode, connection, signal);
  }

  /** Waits until no update of an earlier load can arrive: the protocol doesn't tell them apart (T-10). */
  async #awaitLeftovers(connection: AgentConnection): Promise<void> {
    const { sessionId } = this.#host.info();
    await this.#host.closing;
    await withTimeout(
      connection.whenLoadsEnded(sessionId),
      this.#host.limits.leftoversMs,
      () => new AcpError('timeout', 'a canceled load has not ended'),
    );
    if (this.#heldBy === connection) {
      await connection.closeSession(sessionId);
    }
  }

  async #openOnAgent(mode: Mode, connection: AgentConnection, signal: AbortSignal): Promise<void> {
    const { sessionId, cwd, additionalDirectories, archived } = this.#host.info();
    if (archived === true && connection.capabilities.archive) {
      // An archived session must be unarchived before it is opened.
      await connection.setArchived(sessionId, false);
      this.#agent.lists.setArchived(sessionId, false);
    }
    const { set, opening } = await settingsFor(this.#agent, connection, this.#host, cwd, sessionId);
    if (signal.aborted) {
      opening.end();
    }
    signal.throwIfAborted();
    this.#take(opening);
    await this.#host.beginHistory();
    signal.throwIfAborted();
    const target: SessionTarget = { sessionId, cwd, additionalDirectories, ...set };
    this.#host.lost();
    // A resume replays no history: the entries here are all there is (RES-6).
    this.#keepsCopy = mode === 'resume' && this.#host.transcript.entries.length > 0;
    if (!this.#keepsCopy) {
      this.#host.transcript.reset();
    }
    this.#receiving = true;
    this.#heldBy = connection;
    const stall = new AbortController();
    const watch = watchProgress(
      () => this.#host.transcript.updates,
      this.#host.limits.stallMs,
      () => stall.abort(),
    );
    try {
      const either = AbortSignal.any([signal, stall.signal]);
      const setup = await (mode === 'load'
        ? connection.loadSession(target, either)
        : connection.resumeSession(target, either));
      opening.opened(this.#host.served());
      this.#host.opened(setup);
    } catch (error) {
      if (stall.signal.aborted) {
        throw new AcpError('timeout', `no progress in session/${mode}`, {}, { cause: error });
      }
      if (!signal.aborted) {
        // The agent has answered with an error, so it holds no session.
        this.#heldBy = undefined;
      }
      throw error;
    } finally {
      watch.dispose();
    }
  }

  /** Only the newest server of ours answers the session. */
  #take(opening: SessionOpening | undefined): void {
    this.#opening?.end();
    this.#opening = opening;
  }

  #setPhase(phase: Phase): void {
    this.#phase = phase;
    this.#host.phaseChanged();
  }
}
