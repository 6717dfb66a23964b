import type { Agent, SessionList, SessionRow } from '../../../model/agent';
import type { OwnGroup } from '../../../model/marks/ownGroups';
import type { Worktree } from '../../../model/places/worktrees';
import type { AgentConfigProblem, WorkspaceFolder } from '../../../model/ports';
import type { Subagent } from '../../../model/subagents/subagent';
import type { Failure } from '../../../shared/failure';

/**
 * The rows of the tree. A node is created once for its ID and lives as long as the thing that it
 * represents, so that VS Code keeps selection, focus and scroll position across refreshes.
 */
export type SessionsNode =
  | AgentNode
  | FolderNode
  | WorktreeNode
  | MovedNode
  | GroupNode
  | SessionNode
  | SubagentNode
  | OlderNode
  | ProblemNode
  | FilterNode
  | MessageNode;

/** The node below which a list's rows appear; `undefined` is the top of the tree. */
export type ListParent = AgentNode | FolderNode | WorktreeNode | MovedNode | undefined;

export interface AgentNode {
  readonly kind: 'agent';
  readonly id: string;
  readonly parent: undefined;
  readonly agent: Agent;
  /** Its sessions show among those of others, and not below it. */
  readonly isLine?: true;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly id: string;
  readonly parent: AgentNode | undefined;
  readonly list: SessionList;
  readonly folder: WorkspaceFolder;
}

/** Another worktree of a workspace folder's repository. */
export interface WorktreeNode {
  readonly kind: 'worktree';
  readonly id: string;
  readonly parent: AgentNode | FolderNode | undefined;
  readonly list: SessionList;
  readonly worktree: Worktree;
  /** The workspace folder below which it appears. */
  readonly from: WorkspaceFolder;
}

/** The sessions of a folder that has moved to a workspace folder, under the path that their agent has. */
export interface MovedNode {
  readonly kind: 'moved';
  readonly id: string;
  readonly parent: AgentNode | FolderNode | undefined;
  readonly list: SessionList;
  readonly from: string;
}

/** A group of rows: of a date, a folder or a state, pinned, those that need the user, or one that the user has made. */
export interface RowGroup {
  /** Stable, and unique below its parent. */
  readonly key: string;
  readonly label: string;
  readonly icon?: string;
  readonly own?: OwnGroup;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly id: string;
  readonly parent: ListParent;
  /** The group as of the last look. */
  group: RowGroup;
  sessions: readonly SessionNode[];
}

export interface SessionNode {
  readonly kind: 'session';
  readonly id: string;
  /** Changes when a session moves to another group. */
  parent: ListParent | GroupNode;
  readonly list: SessionList;
  /** The row as of the last look at the list. */
  row: SessionRow;
}

/** A subagent that is at work, as far as its row shows it. */
export interface ShownSubagent
  extends Pick<Subagent, 'number' | 'title' | 'state' | 'canCancel' | 'isRunning'> {
  readonly parent?: ShownSubagent | undefined;
}

/** A subagent that is at work in an open session. */
export interface SubagentNode {
  readonly kind: 'subagent';
  readonly id: string;
  readonly parent: SessionNode | SubagentNode;
  readonly session: SessionNode;
  /** The subagent as of the last look. */
  subagent: ShownSubagent;
  /** How many of its siblings after it have no row. */
  others: number;
}

/** Expands to the next page. Each page has its own node, because VS Code keeps a used one expanded. */
export interface OlderNode {
  readonly kind: 'older';
  readonly id: string;
  readonly parent: ListParent;
  /** The list whose page is next. */
  list: SessionList;
}

/** An entry of the settings that can't be used. */
export interface ProblemNode {
  readonly kind: 'problem';
  readonly id: string;
  readonly parent: undefined;
  readonly problem: AgentConfigProblem;
}

/** The row above all others that shows which filter is active. */
export interface FilterNode {
  readonly kind: 'filter';
  readonly id: string;
  readonly parent: undefined;
}

/** A line about the state of a list. */
export interface MessageNode {
  readonly kind: 'message';
  readonly id: string;
  readonly parent: ListParent;
  readonly list: SessionList;
  message: ListMessage;
  /** It stands among those of other agents. */
  readonly isShared?: true;
}

export type ListMessage =
  | { readonly kind: 'starting' | 'waiting' | 'fetching' | 'loading' }
  | { readonly kind: 'empty' | 'unsupported' | 'stopped' }
  /** The agent waits for the user to start it. */
  | { readonly kind: 'notStarted' }
  /** The agent can't list sessions: the rows are the ones known here. */
  | { readonly kind: 'knownHere' }
  /** The agent is starting, and printed this line, which is no protocol message. */
  | { readonly kind: 'notAcp'; readonly line: string }
  /** The user has no groups to show sessions in. */
  | { readonly kind: 'noGroups' }
  /** There are rows, but none is shown. */
  | { readonly kind: 'noneShown'; readonly filtered: boolean }
  /** The number of rows that a rule of the settings hides, or would hide. */
  | { readonly kind: 'hidden'; readonly count: number; readonly shown: boolean }
  /** Nothing could be read, or the agent has failed. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The agent, whose own row doesn't show, opens no new session without a login. */
  | { readonly kind: 'signIn'; readonly failure: Failure }
  /** A refresh failed; the rows shown were read before. */
  | { readonly kind: 'stale'; readonly failure: Failure }
  /** The next page couldn't be read. */
  | { readonly kind: 'moreFailed'; readonly failure: Failure }
  /** There may be more sessions, but they can't be reached. */
  | { readonly kind: 'moreStopped'; readonly reason: string };
