import type {
  AgentCapabilities,
  AgentConnection,
  SessionInfo,
} from '../../protocol/agentConnection';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import type { Event } from '../../util/emitter';
import type { AgentConfig, WorkspaceFolder } from '../ports';

/** What the rest of the extension sees of an agent and its lists of sessions. */

export type AgentState =
  | { readonly kind: 'stopped' }
  /** `prints`: its first line, when that is no message: perhaps it doesn't speak the protocol. */
  | { readonly kind: 'starting'; readonly prints?: string }
  | { readonly kind: 'ready'; readonly connection: AgentConnection }
  /** It couldn't be started, or went; it is started again only when something asks for it. */
  | { readonly kind: 'failed'; readonly failure: Failure };

/** A configured agent and its one process, which is started when it is first needed. */
export interface Agent {
  readonly id: string;
  readonly config: AgentConfig;
  /** The title in the settings, else what the agent calls itself (INIT-14), else its id. Never empty. */
  readonly title: string;
  /** Whether no other agent is set up: then its name says nothing. */
  readonly isOnly: boolean;
  readonly state: AgentState;

  /**
   * The live connection; starts the agent if it doesn't run. All callers share one start. Rejects with
   * `AcpError`, and then `state` carries the failure in words.
   */
  connect(): Promise<AgentConnection>;
  /** Ends the agent if it runs, then starts it; rejects like `connect`. */
  restart(): Promise<void>;
  /** Resolves when the process is gone; a start under way is given up. */
  stop(): Promise<void>;

  /**
   * Whether the running agent can do this: it says so, and hasn't refused it since (INIT-9, T-38).
   * Always false while it doesn't run.
   */
  supports(capability: keyof AgentCapabilities): boolean;

  /** What we know of a listed session before the agent says it: a new title (INFO-1). */
  pushInfo(sessionId: string, patch: SessionInfoPatch): void;
  /** We have just made this session: it is listed in its folder until the agent lists it, or it is let go. */
  addSession(info: SessionInfo): void;
  /** The agent should list this session by now: the lists that wait for that are read again. */
  lookForSession(sessionId: string): void;
  /** A session of ours was closed: whether it stays listed is the agent's word (CLOSE-6). */
  letGoOfSession(sessionId: string): void;
  /** The agent has archived a session, or taken it back. */
  noteArchived(sessionId: string, archived: boolean): void;
  /** The session is gone from all lists. */
  forgetSession(sessionId: string): void;

  /** The list of one folder, or of all of them; the same object for the same folder. */
  sessionList(folder: WorkspaceFolder | undefined): SessionList;
}

/** One listed session. Replaced by a new object when anything of it changes. */
export interface SessionRow {
  /** Stable and unique over all agents: made of the agent's and the session's id. */
  readonly key: string;
  readonly agentId: string;
  /** As listed, with what the agent has pushed since. */
  readonly info: SessionInfo;
  /** One clean line, cut, never empty. */
  readonly title: string;
  /** Milliseconds; absent when the agent gave none that can be read. */
  readonly updatedAt: number | undefined;
  /** It came with a page that was read ahead, and nobody has asked for older sessions so far since. */
  readonly ahead?: boolean;
}

export type SessionListState =
  /** Nobody has looked yet; nothing was asked. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded' }
  /** The agent can't list (LIST-3). */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What lies behind the rows. */
export type MorePages =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Reading stopped although the agent has more: `reason` is a sentence; `loadMore` goes on (T-3). */
  | { readonly kind: 'stopped'; readonly reason: string };

export type SessionListChange =
  /** State, order or set of rows; anything. */
  | { readonly type: 'rows' }
  /** Only that rows came ahead, or are on their way. */
  | { readonly type: 'ahead' }
  /** This row alone, at the place where it was. */
  | { readonly type: 'row'; readonly row: SessionRow };

/** The sessions of one agent in one folder, or in all, page by page. */
export interface SessionList {
  readonly agent: Agent;
  /** `undefined`: all folders. */
  readonly folder: WorkspaceFolder | undefined;
  /** Newest first, undated last, otherwise in the agent's order. A live view: read it again on each event. */
  readonly rows: readonly SessionRow[];
  readonly state: SessionListState;
  readonly more: MorePages;
  /** What lies behind the rows that are not ahead. */
  readonly older: MorePages;
  /** Why the last refresh failed; the rows are those from before. */
  readonly stale: Failure | undefined;
  readonly onDidChange: Event<SessionListChange>;

  /** The row of a session, if it is listed here. */
  find(sessionId: string): SessionRow | undefined;
  /** Reads the first page if nobody did before, and starts the agent for it. Never rejects: see `state`. */
  load(): Promise<void>;
  /**
   * Reads one more page, and further ones only while they bring nothing for this folder, within
   * bounds; a page that was read ahead is just taken. `ahead`: whoever asks looks through all of them and
   * will want the next one, too. Never rejects: see `more`.
   */
  loadMore(ahead?: boolean): Promise<void>;
  /** Reads again from the first page. Rows stay until the agent's answers replace or disprove them. */
  refresh(): Promise<void>;
}
