import type { SessionList, SessionListChange, SessionRow } from '../../../model/agent';
import type { Disposable } from '../../../util/disposable';
import { isMainList } from './listHeads';
import { ListNodes } from './listNodes';
import { MergedNodes } from './mergedNodes';
import { NeedsNodes } from './needsNodes';
import type { GroupNode, ListParent, OlderNode, SessionNode, SessionsNode } from './nodes';
import type { ListView } from './rowNodes';

/** The lists that the tree shows, each below its parent or all in one, and which of their nodes have changed. */
export class ShownLists implements Disposable {
  readonly #single = new Map<SessionList, ListNodes>();
  #merged: MergedNodes | undefined;
  readonly #needs = new NeedsNodes();
  readonly #asked = new WeakSet<SessionList>();
  /** The agents that the user has just added, by id. */
  readonly #wanted = new Set<string>();
  readonly #listeners = new Map<SessionList, Disposable>();
  /** The rows that changed where they are, by list; `all`: anything may have. */
  readonly #dirty = new Map<SessionList, Map<string, SessionRow> | 'all'>();
  /** Lists of other worktrees that have nothing to show yet. */
  readonly #empty = new Set<SessionList>();
  readonly #onChange: () => void;

  readonly #showsAhead: () => boolean;

  /** `onChange`: one of the lists has changed. `showsAhead`: also rows that are read ahead may show. */
  constructor(onChange: () => void, showsAhead: () => boolean) {
    this.#onChange = onChange;
    this.#showsAhead = showsAhead;
  }

  /** The nodes of one list below its parent; it is loaded with the first look. */
  below(list: SessionList, parent: ListParent, view: ListView): readonly SessionsNode[] {
    let nodes = this.#single.get(list);
    if (nodes === undefined || nodes.parent !== parent) {
      nodes = new ListNodes(list, parent);
      this.#single.set(list, nodes);
    }
    this.#listen(list);
    // VS Code asks for the children of what it shows, and for no others: it has no other event for that.
    this.#ask(list);
    this.#dirty.delete(list);
    nodes.update(view);
    return nodes.children;
  }

  /**
   * Follows the list of another worktree, and returns whether it has something to show. Those that have nothing yet are
   * loaded one by one.
   */
  watch(list: SessionList, view: ListView): boolean {
    this.#listen(list);
    if (list.rows.length > 0) {
      this.#empty.delete(list);
      return true;
    }
    this.#empty.add(list);
    this.#askDue([list], this.all, view);
    return false;
  }

  /** The nodes of all these lists in one; only those of agents that are used here are loaded. */
  merged(lists: readonly SessionList[], view: ListView): readonly SessionsNode[] {
    this.#merged ??= new MergedNodes();
    this.#readMerged(lists, view);
    for (const list of lists) {
      this.#single.delete(list);
      this.#dirty.delete(list);
    }
    return this.#merged.children;
  }

  /** An agent starts with the next look, as if it had been used here. */
  want(agentId: string): void {
    this.#wanted.add(agentId);
  }

  /** No list shows in one with others any more. */
  separate(): void {
    this.#merged = undefined;
  }

  /** The group of what needs the user, to be asked for after all others: it has what their lists have. */
  needs(isShown: (list: SessionList) => boolean): readonly GroupNode[] {
    this.updateNeeds(isShown);
    return this.#needs.children;
  }

  /** Takes what needs the user in the lists as they are. Returns the nodes to redraw. */
  updateNeeds(isShown: (list: SessionList) => boolean): readonly (GroupNode | undefined)[] {
    const needs = this.#holders.map(
      ({ rows }) => new Map([...rows.needs].filter(([{ list }]) => isShown(list))),
    );
    return this.#needs.update(needs);
  }

  /** The rows that show because their sessions need the user. */
  get needing(): readonly SessionNode[] {
    return this.#needs.children.flatMap(({ sessions }) => sessions);
  }

  get all(): readonly SessionList[] {
    return [...this.#listeners.keys()];
  }

  /** All nodes of sessions, by those of the lists that hold them. */
  get sessions(): Iterable<SessionNode> {
    return this.#holders.flatMap(({ rows }) => [...rows.all]);
  }

  find(rowKey: string): readonly SessionNode[] {
    return this.#holders.flatMap(({ rows }) => rows.find(rowKey) ?? []);
  }

  /** The parents of the rows of an agent's lists that have an old look. */
  parentsOf(agentId: string, isOld: (node: SessionNode) => boolean): readonly ListParent[] {
    const ofAgent = (node: SessionNode) => node.list.agent.id === agentId && isOld(node);
    return this.#holders.flatMap((nodes) =>
      [...nodes.rows.all].some(ofAgent)
        ? [nodes instanceof ListNodes ? nodes.parent : undefined]
        : [],
    );
  }

  /** A session stands otherwise: its row may belong in another place. */
  noteStanding(rowKey: string, { arrangement }: ListView): void {
    for (const { rows } of this.#holders) {
      const node = rows.find(rowKey);
      const need = node && rows.needs.get(node);
      if (node && arrangement.getNeed(node.row, arrangement.getFacts(node.row), need) !== need) {
        this.note(node.list);
      }
    }
  }

  /** Any row of a list may have changed: of the agent's lists, or of all. */
  note(of?: SessionList | string): void {
    for (const list of this.#listeners.keys()) {
      if (of === undefined || of === list || of === list.agent.id) {
        this.#dirty.set(list, 'all');
      }
    }
  }

  /**
   * Reads the next page: expanding the node is the user's request. `undefined` if it was requested before.
   */
  readOlder(older: OlderNode): Promise<void> | undefined {
    if (this.#merged?.lists.includes(older.list) === true) {
      return this.#merged.useOlder(older);
    }
    return this.#single.get(older.list)?.useOlder(older) === true
      ? older.list.loadMore()
      : undefined;
  }

  /** The nodes to redraw for what has changed since. */
  readChanges(
    view: ListView,
    isShown: (list: SessionList) => boolean,
  ): readonly (SessionsNode | undefined)[] {
    if (this.#dirty.size === 0) {
      return [];
    }
    const changed: (SessionsNode | undefined)[] = [];
    let isMergedDirty = false;
    for (const [list, rows] of this.#dirty) {
      const isShown = this.#single.get(list)?.parent?.kind === 'worktree';
      if (this.#empty.has(list) ? list.rows.length > 0 : isShown && list.rows.length === 0) {
        changed.push(undefined);
      }
      const isMerged = this.#merged?.lists.includes(list) === true;
      const holder = isMerged ? this.#merged : this.#single.get(list);
      const nodes = rows === 'all' ? undefined : updateRows(holder, [...rows.values()], view);
      if (nodes !== undefined) {
        changed.push(...nodes);
      } else if (isMerged) {
        isMergedDirty = true;
      } else {
        changed.push(...(this.#single.get(list)?.update(view) ?? []));
      }
    }
    this.#dirty.clear();
    this.#askDue(this.#empty, this.all, view);
    if (isMergedDirty && this.#merged !== undefined) {
      changed.push(...this.#readMerged(this.#merged.lists, view));
    }
    return [...changed, ...this.updateNeeds(isShown)];
  }

  /** Releases all lists but these. */
  keepOnly(live: ReadonlySet<SessionList>): void {
    for (const [list, listener] of this.#listeners) {
      if (!live.has(list)) {
        listener.dispose();
        this.#listeners.delete(list);
        this.#single.delete(list);
        this.#dirty.delete(list);
        this.#empty.delete(list);
      }
    }
  }

  dispose(): void {
    this.keepOnly(new Set());
  }

  get #holders(): readonly (ListNodes | MergedNodes)[] {
    return [...this.#single.values(), ...(this.#merged ? [this.#merged] : [])];
  }

  #readMerged(
    lists: readonly SessionList[],
    view: ListView,
  ): readonly (SessionsNode | undefined)[] {
    for (const list of lists) {
      this.#listen(list);
      this.#empty.delete(list);
    }
    this.#askDue(lists, lists, view);
    return this.#merged?.update(lists, view) ?? [];
  }

  #askDue(due: Iterable<SessionList>, lists: readonly SessionList[], view: ListView): void {
    for (const list of due) {
      if (isDue(list, lists, view, this.#wanted)) {
        this.#ask(list);
      }
    }
  }

  #listen(list: SessionList): void {
    if (!this.#listeners.has(list)) {
      const listener = list.onDidChange((change) => this.#changed(list, change));
      this.#listeners.set(list, listener);
    }
  }

  /** Loads a list, which starts its agent, once. */
  #ask(list: SessionList): void {
    if (!this.#asked.has(list)) {
      this.#asked.add(list);
      void list.load();
    }
  }

  #changed(list: SessionList, change: SessionListChange): void {
    if (change.type === 'ahead' && !this.#showsAhead()) {
      return;
    }
    const rows = this.#dirty.get(list) ?? new Map<string, SessionRow>();
    if (change.type === 'row' && rows !== 'all') {
      rows.set(change.row.key, change.row);
      this.#dirty.set(list, rows);
    } else {
      this.#dirty.set(list, 'all');
    }
    this.#onChange();
  }
}

/**
 * Whether a list that shows with those of other agents is to be loaded. An agent that wasn't used here before waits until
 * the user starts it. The lists of other worktrees, which may be many, follow one by one.
 */
function isDue(
  list: SessionList,
  lists: readonly SessionList[],
  { folders }: ListView,
  wanted: ReadonlySet<string>,
): boolean {
  const { agent } = list;
  if (list.state.kind !== 'unread') {
    return false;
  }
  if (isMainList(list, folders)) {
    const isStarted = agent.state.kind === 'starting' || agent.state.kind === 'ready';
    return isStarted || list.isKnown || wanted.has(agent.id);
  }
  const ofAgent = lists.filter((other) => other.agent === agent);
  const isBusy = ofAgent.some(
    ({ state, folder }) =>
      state.kind === 'loading' || (state.kind === 'unread' && isMainList({ folder }, folders)),
  );
  return agent.state.kind === 'ready' && !isBusy;
}

/** Updates single rows; `undefined` if one of them may have moved. */
function updateRows(
  holder: ListNodes | MergedNodes | undefined,
  rows: readonly SessionRow[],
  view: ListView,
): readonly SessionNode[] | undefined {
  const found = rows.map((row) => holder?.rows.updateRow(row, view) ?? false);
  return found.includes(false) ? undefined : found.flatMap((nodes) => nodes || []);
}
