import { isDeepStrictEqual } from 'node:util';
import type {
  AgentCapabilities,
  AgentConnection,
  SessionInfo,
  SessionUpdateEvent,
} from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import { type Deferred, deferred } from '../../util/async';
import { DisposableStore } from '../../util/disposable';
import { stackOf } from '../../util/stackOf';
import type { Agent, AgentState, StartingState } from '../agent';
import { describeFailure } from '../failures/failures';
import { isInside } from '../files/roots';
import { applyInfoPatch } from '../list/sessionInfo';
import { PagedSessionList } from '../list/sessionList';
import type { AgentConfig, WorkspaceFolder } from '../ports';
import { cleanText } from '../text/titles';
import type { AgentDependencies } from './agentDependencies';

/** A pending start, shared by all callers that connect meanwhile. */
interface Start {
  readonly connection: Deferred<AgentConnection>;
  readonly abort: AbortController;
  /** Settles when the start has finished, even after it was given up. */
  done: Promise<void>;
}

/** Maximum length of the startup output that is shown, in UTF-16 units. */
const longestLine = 120;

const stopped: AgentState = { kind: 'stopped' };

/** An agent whose process is started on demand, and never more than once at a time (invariant 5). */
export class ManagedAgent implements Agent {
  config: AgentConfig;
  changesLater = false;
  readonly #dependencies: AgentDependencies;
  /** By the folder's path; `undefined` stands for all folders. */
  readonly #lists = new Map<string | undefined, PagedSessionList>();
  /** Open sessions that were created here, for lists that don't exist yet. */
  readonly #made = new Map<string, SessionInfo>();
  #includesArchived = false;
  #state: AgentState = stopped;
  #name: string | undefined;
  #signInNeeded: Failure | undefined;
  #start: Start | undefined;
  /** Listeners on the live connection. */
  #connectionStore = new DisposableStore();
  /** Settles when all earlier processes have exited. */
  #ending: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(config: AgentConfig, dependencies: AgentDependencies) {
    this.config = config;
    this.#dependencies = dependencies;
  }

  get id(): string {
    return this.config.id;
  }

  get title(): string {
    return this.#dependencies.titleOf(this) ?? this.name;
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

  connect(): Promise<AgentConnection> {
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
    await this.stop();
    const agent = this.#dependencies.successorOf(this) ?? this;
    await agent.connect();
    this.#dependencies.onDidRestart(agent);
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
    const gone = this.stop();
    for (const list of this.#lists.values()) {
      list.dispose();
    }
    this.#lists.clear();
    await gone;
  }

  supports(capability: keyof AgentCapabilities): boolean {
    return this.#state.kind === 'ready' && this.#state.connection.capabilities[capability];
  }

  get lists(): readonly PagedSessionList[] {
    return [...this.#lists.values()];
  }

  sessionList(folder: WorkspaceFolder | undefined): PagedSessionList {
    const existing = this.#lists.get(folder?.path);
    if (existing !== undefined) {
      return existing;
    }
    const { realPath, log, listLimits, remembered: all, onDidList } = this.#dependencies;
    const { workspace, lists } = this.#dependencies;
    const remembered = (): readonly SessionInfo[] =>
      all.of(this.id).filter((info) => this.#belongsIn(info, folder?.path));
    const list = new PagedSessionList(this, folder, realPath, log, listLimits, {
      remembered,
      recalled: () =>
        workspace.trusted ? [...lists.of(this.config, folder?.path), ...remembered()] : [],
    });
    list.onDidChange(({ type }) => {
      if (type === 'rows') {
        onDidList(list);
      }
    });
    this.#lists.set(folder?.path, list);
    if (this.#includesArchived) {
      list.includeArchived();
    }
    for (const info of this.#made.values()) {
      this.#hold(list, info);
    }
    return list;
  }

  pushInfo(sessionId: string, patch: SessionInfoPatch): void {
    const made = this.#made.get(sessionId);
    if (made !== undefined) {
      this.#made.set(sessionId, applyInfoPatch(made, patch));
    }
    for (const list of this.#lists.values()) {
      list.push(sessionId, patch);
    }
  }

  hear(event: SessionUpdateEvent): void {
    if (event.update.sessionUpdate === 'session_info_update') {
      this.pushInfo(event.sessionId, event.update);
    }
    this.#dependencies.onDidUpdate(this, event);
  }

  listChanged(): void {
    for (const list of this.#state.kind === 'ready' ? this.#lists.values() : []) {
      list.agentChangedIt();
    }
  }

  addSession(info: SessionInfo): void {
    this.#made.set(info.sessionId, info);
    for (const list of this.#lists.values()) {
      this.#hold(list, info);
    }
  }

  lookForSession(sessionId: string): void {
    for (const list of this.#lists.values()) {
      list.lookFor(sessionId);
    }
  }

  letGoOfSession(sessionId: string): void {
    this.#made.delete(sessionId);
    for (const list of this.#lists.values()) {
      list.letGo(sessionId);
    }
  }

  noteArchived(sessionId: string, archived: boolean): void {
    if (archived) {
      this.#made.delete(sessionId);
    }
    for (const list of this.#lists.values()) {
      list.setArchived(sessionId, archived);
    }
  }

  forgetSession(sessionId: string): void {
    this.#made.delete(sessionId);
    for (const list of this.#lists.values()) {
      list.remove(sessionId);
    }
  }

  /** Includes archived sessions in the agent's lists from now on. */
  includeArchived(): void {
    this.#includesArchived = true;
    for (const list of this.#lists.values()) {
      list.includeArchived();
    }
  }

  /** The remembered sessions of this agent have changed. */
  rememberedChanged(): void {
    for (const list of this.#lists.values()) {
      list.rememberedChanged();
    }
  }

  /** The workspace's folders or its trust have changed. */
  workspaceChanged(): void {
    const { workspace } = this.#dependencies;
    const open = new Set(workspace.folders.map((folder) => folder.path));
    for (const [path, list] of this.#lists) {
      if (path !== undefined && !open.has(path)) {
        list.dispose();
        this.#lists.delete(path);
      }
    }
    if (workspace.trusted) {
      this.#trustGranted();
    }
  }

  /** Doesn't start the agent: the view does that when it next loads a list. */
  #trustGranted(): void {
    if (this.#state.kind === 'failed' && this.#state.failure.code === 'untrusted') {
      this.#setState(stopped);
    }
    for (const list of this.#lists.values()) {
      list.trustGranted();
    }
  }

  #hold(list: PagedSessionList, info: SessionInfo): void {
    if (this.#belongsIn(info, list.folder?.path)) {
      list.hold(info);
    }
  }

  #belongsIn(info: SessionInfo, folder: string | undefined): boolean {
    return (
      folder === undefined || (isInside(info.cwd, [folder]) && !this.#hasOwnList(info, folder))
    );
  }

  /** A worktree may lie inside the folder above it: its sessions belong to its own list. */
  #hasOwnList({ cwd }: SessionInfo, above: string): boolean {
    return [...this.#lists.keys()].some(
      (path) =>
        path !== undefined && path !== above && isInside(path, [above]) && isInside(cwd, [path]),
    );
  }

  #giveUpStart(): void {
    const start = this.#start;
    if (start !== undefined) {
      this.#start = undefined;
      start.abort.abort();
      start.connection.reject(new AcpError('cancelled', 'the agent was stopped'));
      this.#waitFor(start.done);
    }
  }

  async #run(start: Start): Promise<void> {
    try {
      this.#mayStart();
      this.#setState({ kind: 'starting' });
      await this.#ending;
      start.abort.signal.throwIfAborted();
      const { connect, requestsOf } = this.#dependencies;
      const { signal } = start.abort;
      const connection = await connect(this.config, requestsOf(this), signal, {
        onNoise: (line) => this.#noteStart(start, { prints: cleanText(line, longestLine) }),
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
    this.#connectionStore.add(
      connection.onUpdate((event) => {
        this.hear(event);
      }),
    );
    this.#connectionStore.add(
      connection.onListChanged(() => {
        this.listChanged();
      }),
    );
    this.#connectionStore.add(
      connection.onClosed((error) => {
        this.#lost(connection, error);
      }),
    );
    this.#name = connection.info.title;
    this.#setState({ kind: 'ready', connection });
    for (const list of this.#lists.values()) {
      list.agentReady();
    }
  }

  /** The connection closed by itself. The agent isn't restarted: that is up to the user. */
  #lost(connection: AgentConnection, error: AcpError): void {
    this.#letGo(connection);
    this.#fail(error);
  }

  #fail(error: unknown): void {
    const failure = describeFailure(error, this.title);
    this.#dependencies.log.error(`${this.id}: ${failure.title}: ${stackOf(error)}`);
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
