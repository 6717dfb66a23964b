import * as l10n from '@vscode/l10n';
import type { SessionList, SessionRow } from '../../../model/agent';
import type { WorkspaceFolder } from '../../../model/ports';
import { dateGroup } from '../../dates';
import { type Arrangement, arrange } from './arrangement';
import { folderGroup } from './folderFacts';
import type {
  GroupNode,
  ListMessage,
  ListParent,
  MessageNode,
  OlderNode,
  RowGroup,
  SessionNode,
  SessionsNode,
} from './nodes';

/** Maximum number of rows that are easy to scan without groups. */
const maxUngroupedRows = 8;

/** Grouped by what waits for the user's decision. */
const reviewGroup: RowGroup = { key: 'review', label: l10n.t('To Review'), icon: 'diff-multiple' };
const reviewedGroup: RowGroup = {
  key: 'reviewed',
  label: l10n.t('Nothing to Review'),
  icon: 'check',
};

const pinnedGroup: RowGroup = { key: 'pinned', label: l10n.t('Pinned'), icon: 'pinned' };

/** How a list is shown. */
export interface ListView {
  readonly arrangement: Pick<Arrangement, 'choices' | 'getFacts' | 'getPlace' | 'hidden'>;
  /** Whether rows of several agents show. */
  readonly isShared: boolean;
  /** The folders of the workspace. */
  readonly folders: readonly WorkspaceFolder[];
  /** ms since the epoch. */
  readonly now: number;
}

/** Maps one session list to the nodes below its parent, and reports which of them changed. */
export class ListNodes {
  readonly list: SessionList;
  readonly parent: ListParent;
  readonly #key: string;
  readonly #groups = new Map<string, GroupNode>();
  readonly #messages = new Map<ListMessage['kind'], MessageNode>();
  #sessions = new Map<string, SessionNode>();
  #older: OlderNode;
  #pages = 1;
  #olderUsed = false;
  #children: readonly SessionsNode[] = [];
  #firstLook = true;

  /** `key` is part of every node's ID and unique in the tree. */
  constructor(list: SessionList, parent: ListParent, key: string) {
    this.list = list;
    this.parent = parent;
    this.#key = key;
    this.#older = this.#makeOlder();
  }

  get children(): readonly SessionsNode[] {
    return this.#children;
  }

  findSession(rowKey: string): SessionNode | undefined {
    return this.#sessions.get(rowKey);
  }

  get sessions(): Iterable<SessionNode> {
    return this.#sessions.values();
  }

  /** Marks the node as used; `false` if it already is, or belongs to an earlier page. */
  useOlder(node: OlderNode): boolean {
    if (node !== this.#older || this.#olderUsed) {
      return false;
    }
    this.#olderUsed = true;
    return true;
  }

  /**
   * Reads the list again. Returns the nodes to redraw: the parent if its rows are different ones, otherwise only the
   * groups and rows that changed.
   */
  update(view: ListView): readonly (SessionsNode | undefined)[] {
    const changed: SessionNode[] = [];
    const all = this.list.rows;
    const { arrangement } = view;
    const {
      pinned,
      rest: others,
      hidden,
    } = arrange(all, arrangement, (row) => this.#surroundings(row, view));
    const sessions = this.#updateSessions([...pinned.rows, ...others.rows], changed);
    const changedGroups: GroupNode[] = [];
    const rows = [
      ...this.#grouped(sessions.slice(0, pinned.rows.length), () => pinnedGroup, changedGroups),
      ...this.#arranged(sessions.slice(pinned.rows.length), others.leads, view, changedGroups),
    ];
    this.#forgetGroups(rows);
    const before = this.#children;
    const olderBefore = this.#older;
    this.#children = [
      ...this.#head(all.length > 0),
      ...this.#noneShown(view, all.length > 0 && sessions.length === 0, hidden),
      ...rows,
      ...this.#hint(view, hidden),
      ...this.#knownHere(all.length > 0),
      ...this.#tail(),
    ];
    if (this.#firstLook || !sameNodes(before, this.#children)) {
      this.#firstLook = false;
      return [this.parent];
    }
    const rest = changed.filter(({ parent }) => !changedGroups.some((group) => group === parent));
    // Any of the lines around the rows may have changed its text; they are few and have no children.
    const lines = this.#children.filter(
      (node) => node.kind === 'message' || (node.kind === 'older' && node === olderBefore),
    );
    return [...changedGroups, ...rest, ...lines];
  }

  #updateSessions(rows: readonly SessionRow[], changed: SessionNode[]): SessionNode[] {
    const before = this.#sessions;
    this.#sessions = new Map();
    return rows.map((row) => {
      const node = before.get(row.key) ?? this.#makeSession(row);
      if (!isDrawnAs(node.row, row)) {
        changed.push(node);
      }
      node.row = row;
      this.#sessions.set(row.key, node);
      return node;
    });
  }

  /** `leads`: the rows whose dates their families share. */
  #arranged(
    sessions: readonly SessionNode[],
    leads: ReadonlyMap<string, SessionRow>,
    { arrangement, folders, now }: ListView,
    changed: GroupNode[],
  ): readonly (GroupNode | SessionNode)[] {
    const { grouping } = arrangement.choices;
    if (grouping === 'date' && sessions.length > maxUngroupedRows) {
      const findDate = (row: SessionRow) => (leads.get(row.key) ?? row).updatedAt;
      return this.#grouped(sessions, (row) => dateGroup(findDate(row), now), changed);
    }
    if (grouping === 'folder') {
      const { folder } = this.list;
      const known = folder === undefined ? folders : [folder];
      return this.#grouped(
        sessions,
        (row) => folderGroup(arrangement.getPlace(row).cwd, known),
        changed,
      );
    }
    if (grouping === 'review') {
      const isWaiting = ({ row }: SessionNode): boolean => arrangement.getFacts(row).review;
      const waiting = sessions.filter(isWaiting);
      const others = sessions.filter((node) => !isWaiting(node));
      return [
        ...this.#grouped(waiting, () => reviewGroup, changed),
        ...this.#grouped(others, () => reviewedGroup, changed),
      ];
    }
    for (const node of sessions) {
      node.parent = this.parent;
    }
    return sessions;
  }

  /** Agent and folder, without what all rows share: the only agent, and the list's own folder. */
  #surroundings(row: SessionRow, { arrangement, isShared }: ListView): string {
    const { agent, folder } = this.list;
    const { cwd } = arrangement.getPlace(row);
    const below = folder !== undefined && cwd.startsWith(folder.path) ? folder.path.length : 0;
    return `${isShared ? agent.title : ''} ${cwd.slice(below)}`;
  }

  #forgetGroups(rows: readonly SessionsNode[]): void {
    const used = new Set(rows);
    for (const [key, group] of this.#groups) {
      if (!used.has(group)) {
        this.#groups.delete(key);
      }
    }
  }

  #grouped(
    sessions: readonly SessionNode[],
    getGroup: (row: SessionRow) => RowGroup,
    changed: GroupNode[],
  ): readonly GroupNode[] {
    const members = new Map<string, SessionNode[]>();
    const groups: GroupNode[] = [];
    for (const node of sessions) {
      const group = getGroup(node.row);
      let rows = members.get(group.key);
      if (rows === undefined) {
        rows = [];
        members.set(group.key, rows);
        groups.push(this.#getGroup(group));
      }
      rows.push(node);
    }
    for (const group of groups) {
      const rows = members.get(group.group.key) ?? [];
      for (const node of rows) {
        node.parent = group;
      }
      if (!sameNodes(group.sessions, rows)) {
        group.sessions = rows;
        changed.push(group);
      }
    }
    return groups;
  }

  #getGroup(of: RowGroup): GroupNode {
    let group = this.#groups.get(of.key);
    if (group === undefined) {
      const id = `group:${this.#key}:${of.key}`;
      group = { kind: 'group', id, parent: this.parent, group: of, sessions: [] };
      this.#groups.set(of.key, group);
    }
    return group;
  }

  /** The message above the rows, or instead of them. */
  #head(hasRows: boolean): readonly MessageNode[] {
    const message = findHead(this.list, hasRows, hasAgentRow(this.parent));
    return message === undefined ? [] : [this.#messageNode(message)];
  }

  /** A message that rows exist but none is shown, with the action that shows them. */
  #noneShown(
    { arrangement }: ListView,
    noneShown: boolean,
    hidden: number,
  ): readonly MessageNode[] {
    const { isFiltered } = arrangement.choices;
    return noneShown && (isFiltered || hidden === 0)
      ? [this.#messageNode({ kind: 'noneShown', filtered: isFiltered })]
      : [];
  }

  #hint({ arrangement }: ListView, count: number): readonly MessageNode[] {
    const { showsHidden } = arrangement.choices;
    return count === 0 ? [] : [this.#messageNode({ kind: 'hidden', count, shown: showsHidden })];
  }

  /** A message that explains why there are no other rows. */
  #knownHere(hasRows: boolean): readonly MessageNode[] {
    const isAll = hasRows && this.list.state.kind === 'unsupported';
    return isAll ? [this.#messageNode({ kind: 'knownHere' })] : [];
  }

  #tail(): readonly (OlderNode | MessageNode)[] {
    const { older } = this.list;
    if (older.kind === 'loading') {
      // The next page needs a new node, whatever started the loading of this one, because VS Code stores the
      // expanded state by the node's ID: https://github.com/microsoft/vscode/issues/183360
      this.#olderUsed = true;
    } else if (this.#olderUsed) {
      this.#olderUsed = false;
      this.#pages += 1;
      this.#older = this.#makeOlder();
    }
    switch (older.kind) {
      case 'none':
        return [];
      case 'ready':
      case 'loading':
        return [this.#older];
      case 'failed':
        return [this.#messageNode({ kind: 'moreFailed', failure: older.failure })];
      case 'stopped':
        return [this.#messageNode({ kind: 'moreStopped', reason: older.reason })];
    }
  }

  #messageNode(message: ListMessage): MessageNode {
    let node = this.#messages.get(message.kind);
    if (node === undefined) {
      const id = `message:${this.#key}:${message.kind}`;
      node = { kind: 'message', id, parent: this.parent, list: this.list, message };
      this.#messages.set(message.kind, node);
    }
    node.message = message;
    return node;
  }

  #makeSession(row: SessionRow): SessionNode {
    const id = `session:${this.#key}:${row.info.sessionId}`;
    return { kind: 'session', id, parent: this.parent, list: this.list, row };
  }

  #makeOlder(): OlderNode {
    const id = `older:${this.#key}:${this.#pages}`;
    return { kind: 'older', id, parent: this.parent, list: this.list };
  }
}

type LoadingKind = 'loading' | 'starting' | 'fetching' | 'waiting';

function loadingKind({ agent: { state } }: SessionList): LoadingKind {
  if (state.kind === 'ready') {
    return 'loading';
  }
  if (state.kind === 'starting' && state.waits === true) {
    return 'waiting';
  }
  return state.kind === 'starting' && state.fetches === true ? 'fetching' : 'starting';
}

/** Whether the agent's row is above, and says what is wrong with the agent as a whole. */
function hasAgentRow(parent: ListParent): boolean {
  return parent !== undefined && (parent.kind === 'agent' || hasAgentRow(parent.parent));
}

function findHead(
  list: SessionList,
  hasRows: boolean,
  agentShows: boolean,
): ListMessage | undefined {
  const { agent, state, stale } = list;
  const { signInNeeded } = agent;
  const works = agent.state.kind === 'ready' && state.kind !== 'failed';
  if (works && signInNeeded !== undefined && !agentShows) {
    return { kind: 'signIn', failure: signInNeeded };
  }
  if (agent.state.kind === 'starting' && agent.state.prints !== undefined) {
    return { kind: 'notAcp', line: agent.state.prints };
  }
  if (hasRows) {
    if (agent.state.kind === 'failed') {
      return { kind: 'failed', failure: agent.state.failure };
    }
    if (state.kind === 'failed') {
      return { kind: 'failed', failure: state.failure };
    }
    return stale === undefined ? undefined : { kind: 'stale', failure: stale };
  }
  switch (state.kind) {
    case 'unread':
      return agent.state.kind === 'failed'
        ? { kind: 'failed', failure: agent.state.failure }
        : { kind: 'stopped' };
    case 'loading':
      return { kind: loadingKind(list) };
    case 'unsupported':
      return { kind: 'unsupported' };
    case 'failed':
      return { kind: 'failed', failure: state.failure };
    case 'loaded':
      return list.older.kind === 'none' ? { kind: 'empty' } : undefined;
  }
}

/** A row that was only remembered is drawn again once its agent has listed it, with what else that tells. */
function isDrawnAs(before: SessionRow, now: SessionRow): boolean {
  return (
    before.title === now.title &&
    before.updatedAt === now.updatedAt &&
    before.unlisted === now.unlisted &&
    before.info.state === now.info.state &&
    before.info.openElsewhere === now.info.openElsewhere &&
    before.info.archived === now.info.archived &&
    before.info.gitBranch === now.info.gitBranch
  );
}

function sameNodes(a: readonly SessionsNode[], b: readonly SessionsNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}
