import { Agents } from '../../../src/model/agents/agents';
import type { StartSigns } from '../../../src/model/agents/connect';
import type { SessionListLimits } from '../../../src/model/list/listing';
import { PromptTitles } from '../../../src/model/list/promptTitles';
import { RememberedLists } from '../../../src/model/list/rememberedLists';
import { RememberedSessions } from '../../../src/model/list/rememberedSessions';
import type { AgentConfig, Log } from '../../../src/model/ports';
import type {
  AgentCapabilities,
  AgentConnection,
  AuthMethod,
  ForkTarget,
  NewPlace,
  OpenedSession,
  SessionInfo,
  SessionPage,
  SessionPlace,
  SessionSetup,
  SessionTarget,
  SessionUpdateEvent,
  SteeringOutcome,
} from '../../../src/protocol/agentConnection';
import type { AgentRequests } from '../../../src/protocol/agentRequests';
import { AcpError } from '../../../src/protocol/errors';
import type { BackgroundItem, SessionUpdate } from '../../../src/protocol/updates';
import type { ListedOption } from '../../../src/shared/transcript/config';
import type { Block } from '../../../src/shared/transcript/content';
import type { TurnUsage } from '../../../src/shared/transcript/entries';
import { type Deferred, deferred } from '../../../src/util/async';
import { Emitter } from '../../../src/util/emitter';
import { isObject } from '../../../src/util/json';
import { FakeSettings, FakeWorkspace, folder, memento } from './fakePlatform';

export { folder };

export const silentLog: Log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
};

export const allCapabilities: AgentCapabilities = {
  load: true,
  list: true,
  resume: true,
  close: true,
  delete: true,
  fork: true,
  archive: true,
  title: true,
  options: true,
  additionalDirectories: true,
  systemPrompt: true,
  systemPromptOverride: true,
  logout: true,
  prompt: true,
  steering: true,
  promptImage: true,
  promptAudio: true,
  promptEmbeddedContext: true,
  promptSkill: true,
  promptSkillInline: true,
  mcpStdio: true,
  mcpHttp: true,
  mcpSse: true,
  mcpAcp: true,
};

/** A test that returns nothing adds nothing to the session's setup. */
function setupOf(answer: unknown): SessionSetup {
  return isObject(answer) ? answer : {};
}

/** A prompt that the agent has received and not answered yet. */
export interface PromptAsked extends Deferred<string> {
  readonly sessionId: string;
  readonly blocks: readonly Block[];
  /** Tells the id of the prompt's message. */
  readonly inserted: ((messageId: string) => void) | undefined;
  /** Tells the turn's tokens. */
  readonly used: ((usage: TurnUsage) => void) | undefined;
}

export interface ListQuery {
  readonly cwd?: string;
  readonly cursor?: string;
  readonly archived?: 'include';
}

/** A prompt for the running turn that the agent has received and not answered yet. */
export interface SteeringAsked extends Deferred<SteeringOutcome> {
  readonly blocks: readonly Block[];
  readonly inserted: ((messageId: string) => void) | undefined;
}

/** A connection whose answers the test provides. It records the calls. */
export class FakeConnection implements AgentConnection {
  protocolVersion = 1;
  info: AgentConnection['info'] = { title: 'Fake Agent' };
  capabilities: AgentCapabilities = allCapabilities;
  authMethods: readonly AuthMethod[] = [];
  /** The handler of the agent's requests. */
  requests!: AgentRequests;
  readonly #updates = new Emitter<SessionUpdateEvent>();
  readonly onUpdate = this.#updates.event;
  readonly onPrint = new Emitter<string>().event;
  readonly listChanged = new Emitter<void>();
  readonly onListChanged = this.listChanged.event;
  readonly #ended = new Emitter<AcpError>();
  readonly onClosed = this.#ended.event;

  readonly queries: ListQuery[] = [];
  readonly loads: SessionTarget[] = [];
  readonly places: NewPlace[] = [];
  readonly resumes: SessionTarget[] = [];
  readonly forks: ForkTarget[] = [];
  readonly prompts: PromptAsked[] = [];
  readonly steerings: SteeringAsked[] = [];
  /** All calls except lists, with the session's id and the essential arguments, in the order of the wire. */
  readonly calls: string[] = [];
  closed = false;

  /** Answers `session/list`. */
  list: (query: ListQuery) => SessionPage | Promise<SessionPage> = () => ({ sessions: [] });
  /** Runs before `session/load` is answered, and continues if the load is aborted. */
  replay: (target: SessionTarget) => unknown = () => undefined;
  /** Answers `session/new` and `session/fork`. */
  opening: (place: SessionPlace) => OpenedSession | Promise<OpenedSession> = () => ({
    sessionId: `new${this.places.length + this.forks.length}`,
  });
  /** Answers `session/options`. */
  options: () => SessionSetup | Promise<SessionSetup> = () => ({});
  /** Runs before `session/resume` is answered. */
  resuming: (target: SessionTarget) => unknown = () => undefined;
  /** Runs before `session/delete`, `session/archive`, `session/set_title` and `session/set_mode` are answered. */
  changing: () => void | Promise<void> = () => undefined;
  /** Answers `session/set_config_option`. */
  configuring: (
    configId: string,
    value: string | boolean,
  ) => readonly ListedOption[] | Promise<readonly ListedOption[]> = () => [];
  /** Runs before `session/close` is answered. */
  closing: () => void | Promise<void> = () => undefined;

  readonly #running = new Map<string, Set<Promise<unknown>>>();
  readonly #gone: Promise<never>;
  #fail!: (error: AcpError) => void;

  constructor() {
    this.#gone = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#gone.catch(() => undefined);
  }

  async listSessions(query: ListQuery, signal?: AbortSignal): Promise<SessionPage> {
    this.#check('list');
    this.queries.push(query);
    return this.#settle(
      Promise.resolve().then(() => this.list(query)),
      signal,
    );
  }

  async loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    this.#check('load');
    this.loads.push(target);
    this.calls.push(`load ${target.sessionId}`);
    const work = Promise.resolve().then(() => this.replay(target));
    const running = this.#running.get(target.sessionId) ?? new Set();
    this.#running.set(target.sessionId, running.add(work));
    work.catch(() => undefined).finally(() => running.delete(work));
    return setupOf(await this.#settle(work, signal));
  }

  async newSessionOptions(
    { cwd }: Pick<SessionPlace, 'cwd'>,
    signal?: AbortSignal,
  ): Promise<SessionSetup> {
    this.#check('options');
    this.calls.push(`options ${cwd}`);
    return this.#settle(
      Promise.resolve().then(() => this.options()),
      signal,
    );
  }

  async newSession(place: NewPlace, signal?: AbortSignal): Promise<OpenedSession> {
    this.places.push(place);
    this.calls.push(`new ${place.cwd}`);
    return this.#settle(
      Promise.resolve().then(() => this.opening(place)),
      signal,
    );
  }

  async resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    this.#check('resume');
    this.resumes.push(target);
    this.calls.push(`resume ${target.sessionId}`);
    const work = Promise.resolve().then(() => this.resuming(target));
    return setupOf(await this.#settle(work, signal));
  }

  async forkSession(target: ForkTarget, signal?: AbortSignal): Promise<OpenedSession> {
    this.#check('fork');
    this.forks.push(target);
    this.calls.push(`fork ${target.sessionId}`);
    return this.#settle(
      Promise.resolve().then(() => this.opening(target)),
      signal,
    );
  }

  deleteSession(sessionId: string): Promise<void> {
    return this.#change(`delete ${sessionId}`);
  }

  setArchived(sessionId: string, archived: boolean): Promise<void> {
    return this.#change(`${archived ? 'archive' : 'unarchive'} ${sessionId}`);
  }

  async setTitle(sessionId: string, title: string): Promise<string> {
    await this.#change(`title ${sessionId} ${title}`);
    return title.trim();
  }

  prompt(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
    used?: (usage: TurnUsage) => void,
  ): Promise<string> {
    const asked: PromptAsked = { sessionId, blocks, inserted, used, ...deferred<string>() };
    this.prompts.push(asked);
    const text = blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
    this.calls.push(`prompt ${sessionId} ${text}`);
    return this.#settle(asked.promise, undefined);
  }

  steer(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
  ): Promise<SteeringOutcome> {
    const asked: SteeringAsked = { blocks, inserted, ...deferred<SteeringOutcome>() };
    this.steerings.push(asked);
    const text = blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
    this.calls.push(`steer ${sessionId} ${text}`);
    return this.#settle(asked.promise, undefined);
  }

  cancel(sessionId: string): void {
    this.calls.push(`cancel ${sessionId}`);
  }

  cancelWork(sessionId: string, item: BackgroundItem): Promise<void> {
    return this.#change(`stop ${sessionId} ${JSON.stringify(item)}`);
  }

  setMode(sessionId: string, modeId: string): Promise<void> {
    return this.#change(`mode ${sessionId} ${modeId}`);
  }

  setModel(sessionId: string, modelId: string): Promise<void> {
    return this.#change(`model ${sessionId} ${modelId}`);
  }

  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ListedOption[]> {
    this.calls.push(`config ${sessionId} ${configId} ${value}`);
    return this.#settle(
      Promise.resolve().then(() => this.configuring(configId, value)),
      undefined,
    );
  }

  authenticate(methodId: string): Promise<void> {
    return this.#change(`authenticate ${methodId}`);
  }

  logout(): Promise<void> {
    return this.#change('logout');
  }

  async whenLoadsEnded(sessionId: string): Promise<void> {
    await Promise.race([
      Promise.allSettled([...(this.#running.get(sessionId) ?? [])]),
      this.#gone.catch(() => undefined),
    ]);
  }

  async closeSession(sessionId: string): Promise<void> {
    if (this.capabilities.close) {
      this.calls.push(`close ${sessionId}`);
      await this.closing();
    }
  }

  close(): Promise<void> {
    this.closed = true;
    this.#fail(new AcpError('cancelled', 'closed'));
    return Promise.resolve();
  }

  dispose(): void {
    void this.close();
  }

  /** Sends updates of a session, all at once. */
  send(sessionId: string, ...updates: readonly SessionUpdate[]): void {
    for (const update of updates) {
      this.#updates.fire({ sessionId, update });
    }
  }

  /** Ends the agent's process. */
  die(error = new AcpError('exited', 'gone', { exit: 'exit code 1' })): void {
    this.closed = true;
    this.#fail(error);
    this.#ended.fire(error);
  }

  #change(what: string): Promise<void> {
    this.calls.push(what);
    return this.#settle(
      Promise.resolve().then(() => this.changing()),
      undefined,
    );
  }

  #check(capability: keyof AgentCapabilities): void {
    if (!this.capabilities[capability]) {
      throw new AcpError('unsupported', capability);
    }
  }

  #settle<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const aborted = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new AcpError('cancelled', 'aborted'));
      signal?.addEventListener('abort', fail);
      if (signal?.aborted) {
        fail();
      }
    });
    return Promise.race([answer, aborted, this.#gone]);
  }
}

export function config(id: string, more: Partial<AgentConfig> = {}): AgentConfig {
  return { id, title: id, command: 'fake', args: [], env: {}, cwd: undefined, ...more };
}

/** Low bounds, so that tests reach them. */
const testLimits: SessionListLimits = {
  ...{ pages: 4, unfilteredPages: 2 },
  ...{ newsMs: 1, changesMs: 500, drawingMs: 1 },
};

export interface AgentsBench {
  readonly agents: Agents;
  readonly settings: FakeSettings;
  readonly workspace: FakeWorkspace;
  /** Connections, in the order in which they were made. */
  readonly connections: FakeConnection[];
  /** Real paths by path; any other path doesn't exist. */
  readonly realPaths: Map<string, string>;
  readonly remembered: RememberedSessions;
  readonly promptTitles: PromptTitles;
  /** Makes the connections; replace it to make starts fail or wait. */
  connect: (
    config: AgentConfig,
    signal: AbortSignal,
    signs?: StartSigns,
  ) => Promise<FakeConnection>;
}

/** Agents with these ids on fake connections, each set up by `prepare`. */
export function bench(
  ids: readonly string[] = ['demo'],
  prepare: (connection: FakeConnection) => void = () => undefined,
  remembered = new RememberedSessions(memento()),
  lists = new RememberedLists(memento(), { remembersLists: true }),
  promptTitles = new PromptTitles(memento()),
): AgentsBench {
  const settings = new FakeSettings();
  settings.agents = { agents: ids.map((id) => config(id)), problems: [] };
  const workspace = new FakeWorkspace();
  const connections: FakeConnection[] = [];
  const realPaths = new Map<string, string>();
  const made: AgentsBench = {
    agents: new Agents({
      settings,
      workspace,
      connect: async (wanted, requests, signal, signs) => {
        const connection = await made.connect(wanted, signal, signs);
        connection.requests = requests;
        return connection;
      },
      realPath: (path) => Promise.resolve(realPaths.get(path)),
      log: silentLog,
      listLimits: testLimits,
      remembered,
      lists,
      promptTitles,
    }),
    settings,
    workspace,
    connections,
    realPaths,
    remembered,
    promptTitles,
    connect: () => {
      const connection = new FakeConnection();
      prepare(connection);
      connections.push(connection);
      return Promise.resolve(connection);
    },
  };
  // No requests arrive before there are sessions.
  made.agents.serve({
    getRequests: () => Object.create(null) as AgentRequests,
    isBusy: () => false,
  });
  return made;
}

export function session(id: string, more: Partial<SessionInfo> = {}): SessionInfo {
  return { sessionId: id, cwd: folder.path, additionalDirectories: [], ...more };
}

/** `count` sessions starting at index `first`, one minute apart, newest first. */
export function sessions(count: number, first = 0): SessionInfo[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const updatedAt = new Date(Date.UTC(2026, 0, 31) - number * 60_000).toISOString();
    return session(`s${number}`, { title: `Session ${number}`, updatedAt });
  });
}

/** Serves pages by cursor: the first one without a cursor, then `p1`, `p2`… */
export function paged(...pages: readonly (readonly SessionInfo[])[]): FakeConnection['list'] {
  return ({ cursor }) => {
    const index = cursor === undefined ? 0 : Number(cursor.slice(1));
    const nextCursor = index + 1 < pages.length ? { nextCursor: `p${index + 1}` } : {};
    return { sessions: pages[index] ?? [], ...nextCursor };
  };
}

/** Lets all pending work run; for asserting that something doesn't happen. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
