import type {
  AgentCapabilities,
  AgentConnection,
  SessionInfo,
  SessionUpdateEvent,
} from '../protocol/agentConnection';
import type { AgentAccount } from '../protocol/agentRequests';
import type { SessionInfoPatch } from '../protocol/updates';
import type { Failure } from '../shared/failure';
import type { UsageLimit } from '../shared/transcript/usageLimit';
import type { Event } from '../util/emitter';
import type { AgentConfig, WorkspaceFolder } from './ports';

/** The interface of agents and their session lists for the rest of the extension. */

export interface StartingState {
  readonly kind: 'starting';
  /** The first line of text before any message; the program may not speak the protocol. */
  readonly prints?: string;
  /** The command fetches the agent's program first, as npx and uvx do. */
  readonly fetches?: boolean;
  /** Another start, of whichever window, fetches the same program: this one begins after it. */
  readonly waits?: boolean;
}

export type AgentState =
  | { readonly kind: 'stopped' }
  | StartingState
  | { readonly kind: 'ready'; readonly connection: AgentConnection }
  /** Failed to start, or exited; restarted only when something requests it. */
  | { readonly kind: 'failed'; readonly failure: Failure };

/** A configured agent and its single process, which is started on first use. */
export interface Agent {
  readonly id: string;
  readonly config: AgentConfig;
  /** The agent that has taken its place because its settings entry has changed; itself as long as none has. */
  readonly current: Agent;
  /**
   * The title in the settings; otherwise the name that the agent reports (INIT-14), otherwise its id.
   * Never empty. Where several agents have the same one, with what tells it from the others.
   */
  readonly title: string;
  /** Whether this is the only configured agent, so that its name adds nothing. */
  readonly isOnly: boolean;
  readonly state: AgentState;
  /** Whether its settings entry has changed while it works: it is replaced as soon as it no longer does. */
  readonly changesLater: boolean;
  /** Why the agent, which may otherwise work, opens no new sessions before the user has signed in. */
  readonly signInNeeded: Failure | undefined;
  /** With what the running agent works, as far as it tells (AUTH-15). */
  readonly account: AgentAccount | undefined;

  /**
   * Returns the live connection, starting the agent if it isn't running. Concurrent callers share one
   * start. Rejects with `AcpError`; `state` then has the failure as text for the user. The connection is
   * that of `current`, also if the agent is replaced while it starts.
   */
  connect(): Promise<AgentConnection>;
  /** Stops the agent (`current`) if it is running, then starts it; rejects like `connect`. */
  restart(): Promise<void>;
  /** Resolves when the process has exited; aborts a pending start. */
  stop(): Promise<void>;

  /**
   * Whether the running agent has advertised this capability and hasn't refused it since (INIT-9,
   * T-38). Always false while the agent isn't running.
   */
  supports(capability: keyof AgentCapabilities): boolean;

  /** Takes an update that another client of this agent was sent. */
  hear(event: SessionUpdateEvent): void;

  /** A new session was refused without a login, or (`undefined`) a login or a new session has worked. */
  noteSignIn(failure: Failure | undefined): void;

  /** The limit of that account that holds, or nearly does (US-6). */
  readonly limit: UsageLimit | undefined;
  /** A turn has failed because of a limit that no update tells of; `undefined`: a turn has gone through. */
  noteLimit(limit: UsageLimit | undefined): void;
  /** Another account is used, or none. */
  forgetLimit(): void;

  /** The agent has told with what it works. */
  noteAccount(account: AgentAccount | undefined): void;

  readonly lists: AgentLists;
}

/** All lists of an agent, which learn here of sessions what the agent hasn't listed yet. */
export interface AgentLists {
  /** The list of one folder, or of all folders; always the same object for the same folder. */
  of(folder: WorkspaceFolder | undefined): SessionList;
  /** Another client has changed what the running agent lists. */
  changed(): void;
  /** Applies a change to a listed session before the agent reports it, such as a new title (INFO-1). */
  push(sessionId: string, patch: SessionInfoPatch): void;
  /**
   * Adds a session that was just created here. It stays listed in its folder until the agent lists it
   * or it is released.
   */
  add(info: SessionInfo): void;
  /**
   * While it is hidden, a session that was just created here isn't listed, whatever the agent says: the user may never
   * send its first prompt.
   */
  hide(sessionId: string, isHidden: boolean): void;
  /** The agent should list this session by now: refreshes the lists that are waiting for it. */
  lookFor(sessionId: string): void;
  /** A session created here was closed: whether it stays listed is up to the agent (CLOSE-6). */
  letGo(sessionId: string): void;
  /** The agent has archived or unarchived a session. */
  setArchived(sessionId: string, archived: boolean): void;
  /** The session was deleted. */
  remove(sessionId: string): void;
}

/** Whether the agent is in the settings: it's neither of this window only, nor removed. */
export function isConfigured({ config }: Pick<Agent, 'config'>): boolean {
  return config.ofWindow === undefined && config.removed === undefined;
}

/** Whether this machine starts it, as the settings say: it isn't on another one. */
export function isStartedHere(agent: Pick<Agent, 'config'>): boolean {
  return isConfigured(agent) && agent.config.remote === undefined;
}

/** The folders whose lists are shown for an agent; `undefined` stands for all of its folders. */
export function listedFolders(
  { config }: Pick<Agent, 'config'>,
  folders: readonly WorkspaceFolder[],
): readonly (WorkspaceFolder | undefined)[] {
  return config.remote === undefined ? folders : [...folders, undefined];
}

/** A listed session. Immutable: any change replaces it with a new object. */
export interface SessionRow {
  /** Stable and unique across agents: built from the ids of the agent and the session. */
  readonly key: string;
  readonly agentId: string;
  /** The session as listed, with the changes that the agent has pushed since. */
  readonly info: SessionInfo;
  /** A single line, sanitized and truncated; never empty. */
  readonly title: string;
  /** The time in ms since the epoch; `undefined` when the agent sent no valid timestamp. */
  readonly updatedAt: number | undefined;
  /** Came with a prefetched page; the user hasn't paged this far yet. */
  readonly ahead?: boolean;
  /**
   * Why it is here although the agent hasn't listed it in this window yet: remembered, or created
   * here. Absent once the agent has listed it.
   */
  readonly unlisted?: 'remembered' | 'created';
}

export type SessionListState =
  /** The list wasn't requested yet. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded' }
  /** The agent can't list (LIST-3). */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Whether the agent has more pages after the rows. */
export type MorePages =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /**
   * Reading stopped although the agent has more: `reason` is a sentence for the user; `loadMore`
   * continues (T-3).
   */
  | { readonly kind: 'stopped'; readonly reason: string };

export type SessionListChange =
  /** The state, the order or the set of rows may have changed. */
  | { readonly type: 'rows' }
  /** Prefetched rows arrived or were requested, and nothing else. */
  | { readonly type: 'ahead' }
  /** A row changed; its position is the same. */
  | { readonly type: 'row'; readonly row: SessionRow };

/** The sessions of one agent, in one folder or in all of them, page by page. */
export interface SessionList {
  readonly agent: Agent;
  /** `undefined`: all folders. */
  readonly folder: WorkspaceFolder | undefined;
  /**
   * Newest first, undated last, otherwise in the agent's order. A live view: read it again on each
   * event.
   */
  readonly rows: readonly SessionRow[];
  readonly state: SessionListState;
  readonly more: MorePages;
  /** Whether there are more rows after those that aren't prefetched. */
  readonly older: MorePages;
  /** Whether sessions of it are known without its agent, which was thus used here before, or it has been read. */
  readonly isKnown: boolean;
  /** Why the last refresh failed; the rows are then those from before it. */
  readonly stale: Failure | undefined;
  readonly onDidChange: Event<SessionListChange>;

  /** Returns the row of a session if it is listed here. */
  find(sessionId: string): SessionRow | undefined;
  /**
   * Reads the first page, starting the agent, unless that was done before. Never rejects: see `state`.
   */
  load(): Promise<void>;
  /**
   * Reads one more page, and further ones (up to a limit) only while they bring nothing for this
   * folder; a prefetched page is used without a request. `ahead`: the caller goes through all pages, so
   * the next one is requested in advance. Never rejects: see `more`.
   */
  loadMore(ahead?: boolean): Promise<void>;
  /** Reads again from the first page. Rows stay until the agent's answers replace or disprove them. */
  refresh(): Promise<void>;
}
