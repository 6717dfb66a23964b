import { isDeepStrictEqual } from 'node:util';
import type {
  AgentCapabilities,
  AgentConnection,
  SessionUpdateEvent,
} from '../../protocol/agentConnection';
import type { AgentAccount, AgentRequests } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import type { Failure } from '../../shared/failure';
import type { UsageLimit } from '../../shared/transcript/usageLimit';
import { type Deferred, deferred } from '../../util/async';
import { DisposableStore } from '../../util/disposable';
import type { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { SendLater } from '../../util/sendLater';
import type { Agent, AgentState, StartingState } from '../agent';
import { describeFailure } from '../failures/failures';
import { type ListServices, PagedLists } from '../list/pagedLists';
import type { AgentConfig } from '../ports';
import { cleanText } from '../text/titles';
import type { Connect } from './connect';

/** An update, with the agent that sent it. */
export interface AgentUpdate extends SessionUpdateEvent {
  readonly agent: Agent;
}

export interface AgentDependencies extends ListServices {
  readonly connect: Connect;
  /** The name of an agent with what tells it from others of the same name; `undefined`: it isn't among them yet. */
  readonly findTitle: (agent: Agent) => string | undefined;
  /** Whether this is the only configured agent. */
  readonly isOnly: () => boolean;
  /** The handlers of an agent's requests. */
  readonly getRequests: (agent: Agent) => AgentRequests;
  /** The agent that has taken its place; the agent itself as long as none has. */
  readonly findSuccessor: (agent: Agent) => Agent | undefined;
  readonly onDidChangeState: (agent: Agent) => void;
  /** Fires when an agent runs again after a restart. */
  readonly restarted: Pick<Emitter<Agent>, 'fire'>;
  /** Fires with the updates of the live connection, in order (UP-5). */
  readonly updated: Pick<Emitter<AgentUpdate>, 'fire'>;
}

/** A pending start, shared by all callers that connect meanwhile. */
interface Start {
  readonly connection: Deferred<AgentConnection>;
  readonly abort: AbortController;
  /** Settles when the start has finished, even after it was given up. */
  done: Promise<void>;
}

/** Maximum length of the startup output that is shown, in UTF-16 units. */
const maxLineLength = 120;

const stopped: AgentState = { kind: 'stopped' };

/** An agent whose process is started on demand, and never more than once at a time (invariant 5). */
export class ManagedAgent implements Agent {
  config: AgentConfig;
  changesLater = false;
  readonly lists: PagedLists;
  readonly #dependencies: AgentDependencies;
  #state: AgentState = stopped;
  #name: string | undefined;
  #signInNeeded: Failure | undefined;
  #account: AgentAccount | undefined;
  #limit: UsageLimit | undefined;
  readonly #limitEnd = new SendLater();
  #start: Start | undefined;
  /** Listeners on the live connection. */
  #connectionStore = new DisposableStore();
  /** Settles when all earlier processes have exited. */
  #ending: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(config: AgentConfig, dependencies: AgentDependencies) {
    this.config = config;
    this.#dependencies = dependencies;
    this.lists = new PagedLists(this, dependencies);
  }

  get id(): string {
    return this.config.id;
  }

  get current(): Agent {
    return this.#dependencies.findSuccessor(this) ?? this;
  }

  get title(): string {
    return this.#dependencies.findTitle(this) ?? this.name;
  }

  /** The title, without what tells it from other agents of the same name. */
  get name(): string {
    // A title that equals the id was not chosen by the user.
    const chosen = this.config.title === this.config.id ? this.#name : this.config.title;
    return cleanText(chosen ?? '', 80) || this.config.id;
  }

  get isOnly(): boolean {
    return this.#dependencies.isOnly();
  }

  get state(): AgentState {
    return this.#state;
  }

  get signInNeeded(): Failure | undefined {
    return this.#signInNeeded;
  }

  noteSignIn(failure: Failure | undefined): void {
    if (!isDeepStrictEqual(failure, this.#signInNeeded)) {
      this.#signInNeeded = failure;
      this.#dependencies.onDidChangeState(this);
    }
  }

  get account(): AgentAccount | undefined {
    return this.#state.kind === 'ready' ? this.#account : undefined;
  }

  get limit(): UsageLimit | undefined {
    const { resetsAt = Infinity } = this.#limit ?? {};
    return resetsAt > Date.now() ? this.#limit : undefined;
  }

  noteLimit(limit: UsageLimit | undefined): void {
    // A limit with a name has been told by an update, and so is its end.
    if (this.#limit?.window === undefined) {
      this.#setLimit(limit);
    }
  }

  forgetLimit(): void {
    this.#setLimit(undefined);
  }

  #setLimit(limit: UsageLimit | undefined): void {
    if (isDeepStrictEqual(limit, this.#limit)) {
      return;
    }
    this.#limit = limit;
    const changed = (): void => this.#dependencies.onDidChangeState(this);
    this.#limitEnd.dispose();
    if (limit?.resetsAt !== undefined) {
      this.#limitEnd.add(limit.resetsAt, changed);
    }
    changed();
  }

  /** It may come before the answer to `initialize`. */
  noteAccount(account: AgentAccount | undefined): void {
    if (!isDeepStrictEqual(account, this.#account)) {
      this.#account = account;
      this.#dependencies.onDidChangeState(this);
    }
  }

  connect(): Promise<AgentConnection> {
    const { current } = this;
    if (current !== this) {
      return current.connect();
    }
    if (this.#state.kind === 'ready') {
      return Promise.resolve(this.#state.connection);
    }
    if (this.#start !== undefined) {
      return this.#start.connection.promise;
    }
    const start: Start = {
      connection: deferred(),
      abort: new AbortController(),
      done: Promise.resolve(),
    };
    this.#start = start;
    // Not an unhandled rejection when no caller waits: the state carries the failure.
    start.connection.promise.catch(() => undefined);
    start.done = this.#run(start);
    return start.connection.promise;
  }

  async restart(): Promise<void> {
    const { current } = this;
    if (current !== this) {
      return current.restart();
    }
    await this.stop();
    await this.connect();
    this.#dependencies.restarted.fire(this.current);
  }

  async stop(): Promise<void> {
    this.#giveUpStart();
    if (this.#state.kind === 'ready') {
      this.#letGo(this.#state.connection);
    }
    if (this.#state.kind !== 'stopped') {
      this.#setState(stopped);
    }
    await this.#ending;
  }

  /** Stops for good: the agent was removed from the settings, or the extension is deactivated. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#limitEnd.dispose();
    const gone = this.stop();
    this.lists.dispose();
    await gone;
  }

  supports(capability: keyof AgentCapabilities): boolean {
    return this.#state.kind === 'ready' && this.#state.connection.capabilities[capability];
  }

  hear({ sessionId, update }: SessionUpdateEvent): void {
    if (update.sessionUpdate === 'session_info_update') {
      this.lists.push(sessionId, update);
    } else if (update.sessionUpdate === 'usage_update' && update.limit !== undefined) {
      this.#setLimit(update.limit ?? undefined);
    }
    this.#dependencies.updated.fire({ agent: this, sessionId, update });
  }

  /** Doesn't start the agent: the view does that when it next loads a list. */
  workspaceChanged(): void {
    const isUntrusted = this.#state.kind === 'failed' && this.#state.failure.code === 'untrusted';
    if (isUntrusted && this.#dependencies.workspace.trusted) {
      this.#setState(stopped);
    }
    this.lists.workspaceChanged();
  }

  #giveUpStart(): void {
    const start = this.#start;
    if (start !== undefined) {
      this.#start = undefined;
      start.abort.abort();
      const { current } = this;
      if (current === this) {
        start.connection.reject(new AcpError('cancelled', 'the agent was stopped'));
      } else {
        start.connection.resolve(current.connect());
      }
      this.#waitFor(start.done);
    }
  }

  async #run(start: Start): Promise<void> {
    try {
      this.#mayStart();
      this.#account = undefined;
      this.#setState({ kind: 'starting' });
      await this.#ending;
      start.abort.signal.throwIfAborted();
      const { connect, getRequests } = this.#dependencies;
      const { signal } = start.abort;
      const connection = await connect(this.config, getRequests(this), signal, {
        onNoise: (line) => this.#noteStart(start, { prints: cleanText(line, maxLineLength) }),
        onFetching: (fetches) => this.#noteStart(start, { fetches }),
        onWaiting: (waits) => this.#noteStart(start, { waits }),
      });
      if (this.#start === start) {
        this.#start = undefined;
        this.#adopt(connection);
        start.connection.resolve(connection);
      } else {
        await connection.close();
      }
    } catch (error) {
      if (this.#start === start) {
        this.#start = undefined;
        this.#fail(error);
        if (error instanceof AcpError) {
          error.agentId = this.id;
        }
        start.connection.reject(error);
      }
    }
  }

  #noteStart(start: Start, sign: Omit<StartingState, 'kind'>): void {
    const state = this.#state;
    if (this.#start === start && state.kind === 'starting') {
      const next = { ...state, ...sign };
      if (!isDeepStrictEqual(state, next)) {
        this.#setState(next);
      }
    }
  }

  #mayStart(): void {
    if (this.#ended) {
      throw new AcpError('cancelled', 'the agent is not configured any more');
    }
    if (!this.#dependencies.workspace.trusted) {
      throw new AcpError('untrusted', 'the workspace is not trusted');
    }
    if (this.config.removed) {
      throw new AcpError('removed', 'the agent is not configured any more');
    }
  }

  #adopt(connection: AgentConnection): void {
    this.#connectionStore = new DisposableStore();
    this.#connectionStore.add(connection.onUpdate((event) => this.hear(event)));
    this.#connectionStore.add(connection.onListChanged(() => this.lists.changed()));
    this.#connectionStore.add(
      connection.onClosed((error) => {
        this.#lost(connection, error);
      }),
    );
    this.#name = connection.info.title;
    this.#setState({ kind: 'ready', connection });
    this.lists.agentReady();
  }

  /** The connection closed by itself. The agent isn't restarted: that is up to the user. */
  #lost(connection: AgentConnection, error: AcpError): void {
    this.#letGo(connection);
    this.#fail(error);
  }

  #fail(error: unknown): void {
    const failure = describeFailure(error, this.title);
    this.#dependencies.log.error(`${this.id}: ${failure.title}: ${getStack(error)}`);
    this.#setState({ kind: 'failed', failure });
  }

  #letGo(connection: AgentConnection): void {
    this.#connectionStore.dispose();
    this.#waitFor(connection.close());
  }

  /** Delays the next start until `gone` settles, so that there is never a second process. */
  #waitFor(gone: Promise<void>): void {
    this.#ending = Promise.allSettled([this.#ending, gone]);
  }

  #setState(state: AgentState): void {
    this.#state = state;
    this.#dependencies.onDidChangeState(this);
  }
}
