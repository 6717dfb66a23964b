import type { SessionList, SessionRow } from '../../model/agent';
import { type DateGroup, dateGroup } from './dates';
import type {
  GroupNode,
  ListMessage,
  ListParent,
  MessageNode,
  OlderNode,
  SessionNode,
  SessionsNode,
} from './nodes';

/** Up to this many rows are read at a glance, without groups. */
const mostUngrouped = 8;

export interface ListOptions {
  readonly groupByDate: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

/** Maps one session list to the nodes below its parent, and says which of them changed. */
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

  /** `key` is part of every node's id and unique in the tree. */
  constructor(list: SessionList, parent: ListParent, key: string) {
    this.list = list;
    this.parent = parent;
    this.#key = key;
    this.#older = this.#makeOlder();
  }

  get children(): readonly SessionsNode[] {
    return this.#children;
  }

  sessionOf(rowKey: string): SessionNode | undefined {
    return this.#sessions.get(rowKey);
  }

  get sessions(): Iterable<SessionNode> {
    return this.#sessions.values();
  }

  /** Expanding this node reads the next page, once; `false` for a node of a page that was read. */
  useOlder(node: OlderNode): boolean {
    if (node !== this.#older || this.#olderUsed) {
      return false;
    }
    this.#olderUsed = true;
    return true;
  }

  /**
   * Looks at the list again; `fresh` are rows that it lacks. Returns the nodes to draw anew: the parent when its rows are others now,
   * else only the groups and rows that changed.
   */
  update(
    options: ListOptions,
    fresh: readonly SessionRow[] = [],
  ): readonly (SessionsNode | undefined)[] {
    const changed: SessionNode[] = [];
    const sessions = this.#updateSessions([...fresh, ...this.list.rows], changed);
    const changedGroups: GroupNode[] = [];
    const rows =
      options.groupByDate && sessions.length > mostUngrouped
        ? this.#grouped(sessions, options.now, changedGroups)
        : this.#flat(sessions);
    const before = this.#children;
    const olderBefore = this.#older;
    this.#children = [...this.#head(sessions.length > 0), ...rows, ...this.#tail()];
    if (this.#firstLook || !sameNodes(before, this.#children)) {
      this.#firstLook = false;
      return [this.parent];
    }
    const rest = changed.filter(({ parent }) => !changedGroups.some((group) => group === parent));
    // Of the lines around the rows, any may have another text now; they are few and without children.
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
      if (node.row.title !== row.title || node.row.updatedAt !== row.updatedAt) {
        changed.push(node);
      }
      node.row = row;
      this.#sessions.set(row.key, node);
      return node;
    });
  }

  #flat(sessions: readonly SessionNode[]): readonly SessionNode[] {
    for (const node of sessions) {
      node.parent = this.parent;
    }
    this.#groups.clear();
    return sessions;
  }

  #grouped(
    sessions: readonly SessionNode[],
    now: number,
    changed: GroupNode[],
  ): readonly GroupNode[] {
    const members = new Map<string, SessionNode[]>();
    const groups: GroupNode[] = [];
    for (const node of sessions) {
      const date = dateGroup(node.row.updatedAt, now);
      let rows = members.get(date.key);
      if (rows === undefined) {
        rows = [];
        members.set(date.key, rows);
        groups.push(this.#groupOf(date));
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

  #groupOf(date: DateGroup): GroupNode {
    let group = this.#groups.get(date.key);
    if (group === undefined) {
      const id = `group:${this.#key}:${date.key}`;
      group = { kind: 'group', id, parent: this.parent, group: date, sessions: [] };
      this.#groups.set(date.key, group);
    }
    return group;
  }

  /** What stands above the rows, or instead of them. */
  #head(hasRows: boolean): readonly MessageNode[] {
    const message = headOf(this.list, hasRows);
    return message === undefined ? [] : [this.#messageNode(message)];
  }

  #tail(): readonly (OlderNode | MessageNode)[] {
    const { more } = this.list;
    if (more.kind === 'loading') {
      // Whoever asked for the page: VS Code would take the node for expanded when it is one to expand again.
      this.#olderUsed = true;
    } else if (this.#olderUsed) {
      this.#olderUsed = false;
      this.#pages += 1;
      this.#older = this.#makeOlder();
    }
    switch (more.kind) {
      case 'none':
        return [];
      case 'ready':
      case 'loading':
        return [this.#older];
      case 'failed':
        return [this.#messageNode({ kind: 'moreFailed', failure: more.failure })];
      case 'stopped':
        return [this.#messageNode({ kind: 'moreStopped', reason: more.reason })];
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

function headOf(list: SessionList, hasRows: boolean): ListMessage | undefined {
  const { agent, state, stale } = list;
  if (hasRows) {
    if (agent.state.kind === 'failed') {
      return { kind: 'failed', failure: agent.state.failure };
    }
    return stale === undefined ? undefined : { kind: 'stale', failure: stale };
  }
  switch (state.kind) {
    case 'unread':
      return agent.state.kind === 'failed'
        ? { kind: 'failed', failure: agent.state.failure }
        : { kind: 'stopped' };
    case 'loading':
      return { kind: agent.state.kind === 'ready' ? 'loading' : 'starting' };
    case 'unsupported':
      return { kind: 'unsupported' };
    case 'failed':
      return { kind: 'failed', failure: state.failure };
    case 'loaded':
      return list.more.kind === 'none' ? { kind: 'empty' } : undefined;
  }
}

function sameNodes(a: readonly SessionsNode[], b: readonly SessionsNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}
