import type {
  Agent,
  AgentState,
  MorePages,
  SessionList,
  SessionListChange,
  SessionListState,
  SessionRow,
} from '../../../../src/model/agent';
import { ProvidedChecks } from '../../../../src/model/checks/providedChecks';
import { HideRules } from '../../../../src/model/list/hideRules';
import { sessionKey } from '../../../../src/model/list/sessionInfo';
import { SessionMarks } from '../../../../src/model/marks/marks';
import { OwnGroups } from '../../../../src/model/marks/ownGroups';
import { ProvidedWorktreeStates } from '../../../../src/model/places/providedWorktreeStates';
import { SessionPlaces } from '../../../../src/model/places/sessionPlaces';
import type { Worktree } from '../../../../src/model/places/worktrees';
import type { AgentConfigProblem, WorkspaceFolder } from '../../../../src/model/ports';
import type { Session } from '../../../../src/model/session/session';
import type { AgentAccount } from '../../../../src/protocol/agentRequests';
import type { Failure } from '../../../../src/shared/failure';
import type { SessionRef } from '../../../../src/shared/sessionRef';
import type { UsageLimit } from '../../../../src/shared/transcript/usageLimit';
import { Emitter } from '../../../../src/util/emitter';
import { Arrangement } from '../../../../src/views/sessions/nodes/arrangement';
import type { ShownSubagent } from '../../../../src/views/sessions/nodes/nodes';
import { SessionChoices } from '../../../../src/views/sessions/nodes/sessionChoices';
import { SessionsTree } from '../../../../src/views/sessions/nodes/tree';
import { memento } from '../../model/fakePlatform';
import { silentLog } from '../../model/fakes';

export { memento };

export const now = new Date(2026, 2, 15, 14, 30).getTime();
export const hour = 3_600_000;
export const day = 24 * hour;

export const failure: Failure = {
  code: 'exited',
  title: 'Agent has ended',
  detail: 'Try again.',
  actions: ['retry', 'showLog'],
};

export class FakeList implements SessionList {
  readonly changed = new Emitter<SessionListChange>();
  readonly onDidChange = this.changed.event;
  rows: readonly SessionRow[] = [];
  state: SessionListState = { kind: 'unread' };
  more: MorePages = { kind: 'none' };

  get older(): MorePages {
    return this.more;
  }

  stale: Failure | undefined;
  /** Whether sessions of it are remembered. */
  isRecalled = false;

  get isKnown(): boolean {
    return this.isRecalled || this.state.kind !== 'unread';
  }

  /** The calls of the list's methods, in order. */
  readonly calls: string[] = [];

  constructor(
    readonly agent: TreeAgent,
    readonly folder: WorkspaceFolder | undefined,
  ) {}

  row(sessionId: string, updatedAt: number | undefined, title = sessionId): SessionRow {
    return {
      key: sessionKey(this.agent.id, sessionId),
      agentId: this.agent.id,
      info: { sessionId, cwd: this.folder?.path ?? '', additionalDirectories: [], title },
      title,
      updatedAt,
    };
  }

  find(sessionId: string): SessionRow | undefined {
    return this.rows.find(({ info }) => info.sessionId === sessionId);
  }

  /** Changes the list as the model would, and fires the event. */
  become(change: Partial<Pick<FakeList, 'rows' | 'state' | 'more' | 'stale'>>): void {
    Object.assign(this, change);
    this.changed.fire({ type: 'rows' });
  }

  load(): Promise<void> {
    this.calls.push('load');
    this.become({ state: { kind: 'loading' } });
    return Promise.resolve();
  }

  loadMore(): Promise<void> {
    this.calls.push('loadMore');
    this.become({ more: { kind: 'loading' } });
    return Promise.resolve();
  }

  refresh(): Promise<void> {
    this.calls.push('refresh');
    return Promise.resolve();
  }
}

/** An open session of an agent, as far as the tree looks at it: at rest, unless told otherwise. */
export function openSession(agentId = '', sessionId = '', change: object = {}): Session {
  return {
    agent: { id: agentId },
    info: { sessionId },
    phase: { kind: 'ready' },
    requests: { waiting: [] },
    turns: { current: { kind: 'idle' } },
    ...change,
  } as never;
}

function refuse(): never {
  throw new Error('The tree tells lists nothing.');
}

const toldNothing = {
  changed: refuse,
  push: refuse,
  add: refuse,
  hide: refuse,
  lookFor: refuse,
  letGo: refuse,
  setArchived: refuse,
  remove: refuse,
};

export class TreeAgent implements Agent {
  readonly config;
  readonly current = this;
  readonly changed = new Emitter<void>();
  readonly onDidChangeState = this.changed.event;
  state: AgentState = { kind: 'stopped' };
  isOnly = false;
  changesLater = false;
  signInNeeded: Failure | undefined;
  account: AgentAccount | undefined;
  limit: UsageLimit | undefined;
  /** The agent's capabilities. */
  readonly can = new Set<string>(['load']);
  readonly #lists = new Map<string | undefined, FakeList>();
  readonly lists = {
    of: (folder: WorkspaceFolder | undefined): FakeList => {
      const list = this.#lists.get(folder?.path) ?? new FakeList(this, folder);
      this.#lists.set(folder?.path, list);
      return list;
    },
    ...toldNothing,
  };

  constructor(
    readonly id: string,
    readonly title = `Agent ${id}`,
  ) {
    this.config = { id, title, command: 'agent', args: [], env: {}, cwd: undefined };
  }

  supports(capability: string): boolean {
    return this.can.has(capability);
  }

  downgrade(): void {
    this.can.delete('load');
  }

  noteLimit(): void {
    throw new Error('The tree tells of no limit.');
  }

  forgetLimit(): void {
    this.limit = undefined;
  }

  noteAccount(account: AgentAccount | undefined): void {
    this.account = account;
  }

  hear(): void {
    throw new Error('The tree hears of no update.');
  }

  noteSignIn(): void {
    throw new Error('The tree signs in to no agent.');
  }

  connect(): never {
    throw new Error('The tree starts no agent itself.');
  }

  restart(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** What the registry knows of agents, by their ids. */
class FakeFacts {
  readonly all = new Map<string, string>();
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  of({ id }: { readonly id: string }): string | undefined {
    return this.all.get(id);
  }
}

/** A tree's model with agents and folders that a test can change. */
export class FakeModel {
  readonly agents = {
    all: [] as TreeAgent[],
    problems: [] as AgentConfigProblem[],
    changed: new Emitter<void>(),
    changedAgent: new Emitter<Agent>(),
    get onDidChange() {
      return this.changed.event;
    },
    get onDidChangeAgent() {
      return this.changedAgent.event;
    },
  };
  readonly workspace = {
    folders: [{ name: 'project', path: '/code/project' }] as WorkspaceFolder[],
    trusted: true,
    changed: new Emitter<void>(),
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly settings = {
    groupByDate: true,
    changed: new Emitter<void>(),
    get onDidChangeGroupByDate() {
      return this.changed.event;
    },
    setGroupByDate(value: boolean): Promise<void> {
      this.groupByDate = value;
      this.changed.fire();
      return Promise.resolve();
    },
  };
  readonly worktrees = {
    /** The worktrees of the first folder. */
    all: [] as readonly Worktree[],
    refreshes: 0,
    changed: new Emitter<void>(),
    below: ({ path }: WorkspaceFolder): readonly Worktree[] =>
      path === this.workspace.folders[0]?.path ? this.worktrees.all : [],
    movedTo: (agentId: string, { path }: WorkspaceFolder): readonly string[] =>
      this.places.moved.movedTo(agentId, path),
    refresh(): Promise<void> {
      this.refreshes++;
      return Promise.resolve();
    },
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly marks = new SessionMarks(memento(), silentLog);
  readonly groups = new OwnGroups(memento(), silentLog);
  readonly choices = new SessionChoices(memento(), this.settings);
  readonly rules = {
    all: new HideRules([]),
    changed: new Emitter<void>(),
    hidden(titles: readonly string[]) {
      return this.all.hidden(titles);
    },
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly sessions = {
    open: new Set<string>(),
    /** Open sessions in another state than at rest, by key. */
    states: new Map<string, Session>(),
    changed: new Emitter<Session>(),
    find(agentId: string, sessionId: string): Session | undefined {
      const key = sessionKey(agentId, sessionId);
      return this.states.get(key) ?? (this.open.has(key) ? openSession() : undefined);
    },
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly attention = {
    changed: new Emitter<Session>(),
    shown: new Emitter<object>(),
    unread: new Set<object>(),
    visible: new Set<object>(),
    isUnread(session: object): boolean {
      return this.unread.has(session);
    },
    isVisible(session: object): boolean {
      return this.visible.has(session);
    },
    get onDidChange() {
      return this.changed.event;
    },
    get onDidShow() {
      return this.shown.event;
    },
  };
  readonly work = {
    interrupted: new Set<string>(),
    changed: new Emitter<void>(),
    isInterrupted(agentId: string, sessionId: string): boolean {
      return this.interrupted.has(sessionKey(agentId, sessionId));
    },
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly reviews = {
    /** The number of files to review, by session key. */
    pending: new Map<string, number>(),
    changed: new Emitter<void>(),
    pendingIn(agentId: string, sessionId: string): number {
      return this.pending.get(sessionKey(agentId, sessionId)) ?? 0;
    },
    of: () => undefined,
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly tabs = {
    /** The columns of tabs, by session key. */
    columns: new Map<string, number>(),
    changed: new Emitter<SessionRef>(),
    find(agentId: string, sessionId: string) {
      const viewColumn = this.columns.get(sessionKey(agentId, sessionId));
      return viewColumn === undefined ? undefined : { viewColumn };
    },
    get onDidChange() {
      return this.changed.event;
    },
  };
  readonly checks = new ProvidedChecks();
  readonly worktreeStates = new ProvidedWorktreeStates();
  readonly registry = { newerVersions: new FakeFacts(), icons: new FakeFacts() };
  /** Folders that don't exist. */
  readonly gone = new Set<string>();
  readonly places = new SessionPlaces({
    storage: memento(),
    workspace: this.workspace,
    settings: { additionalDirectories: 'none' },
    folderIsGone: (path) => Promise.resolve(this.gone.has(path)),
    realPath: (path) => Promise.resolve(path),
    worktrees: {
      below: () => [],
      at: (folder: string) => this.worktrees.all.find(({ path }) => path === folder),
    },
  });
  readonly arrangement = new Arrangement(this);
  readonly tree: SessionsTree;
  /** Subagents at work, by session id. */
  readonly running = new Map<string, readonly ShownSubagent[]>();

  constructor(...ids: string[]) {
    this.agents.all = ids.map((id) => new TreeAgent(id));
    this.tree = new SessionsTree(this, () => now);
  }

  /** Shows each agent's sessions below a row of its own. */
  byAgent(): this {
    void this.choices.setGrouping('agent');
    return this;
  }

  runningIn(_agentId: string, sessionId: string): readonly ShownSubagent[] {
    return this.running.get(sessionId) ?? [];
  }

  list(agent = 0, folder = 0): FakeList {
    const found = this.agents.all[agent];
    const where = this.workspace.folders[folder];
    if (found === undefined || where === undefined) {
      throw new Error('There is no such list.');
    }
    return found.lists.of(where);
  }
}
