import type { SessionList } from '../../../model/agent';
import { findHead, hasAgentRow } from './listHeads';
import type { ListMessage, ListParent, MessageNode, OlderNode, SessionsNode } from './nodes';
import { type ListView, listKey, RowNodes, sameNodes } from './rowNodes';

/** Maps one session list to the nodes below its parent, and reports which of them changed. */
export class ListNodes {
  readonly list: SessionList;
  readonly parent: ListParent;
  readonly #key: string;
  readonly #rows: RowNodes;
  readonly #messages = new Map<ListMessage['kind'], MessageNode>();
  #older: OlderNode;
  #pages = 1;
  #olderUsed = false;
  #children: readonly SessionsNode[] = [];
  #firstLook = true;

  constructor(list: SessionList, parent: ListParent) {
    this.list = list;
    this.parent = parent;
    this.#key = listKey(list);
    this.#rows = new RowNodes(parent, this.#key);
    this.#older = this.#makeOlder();
  }

  get children(): readonly SessionsNode[] {
    return this.#children;
  }

  get rows(): RowNodes {
    return this.#rows;
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
    const { list } = this;
    const all = list.rows;
    const source = { rows: all, sure: all.length, listOf: () => list };
    const { children: rows, hidden, isShown, changed } = this.#rows.update(source, view);
    const before = this.#children;
    const olderBefore = this.#older;
    this.#children = [
      ...this.#head(all.length > 0),
      ...this.#noneShown(view, all.length > 0 && !isShown, hidden),
      ...rows,
      ...this.#hint(view, hidden),
      ...this.#knownHere(all.length > 0),
      ...this.#tail(view),
    ];
    if (this.#firstLook || !sameNodes(before, this.#children)) {
      this.#firstLook = false;
      return [this.parent];
    }
    // Any of the lines around the rows may have changed its text; they are few and have no children.
    const lines = this.#children.filter(
      (node) => node.kind === 'message' || (node.kind === 'older' && node === olderBefore),
    );
    return [...changed, ...lines];
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

  #tail({ arrangement }: ListView): readonly (OlderNode | MessageNode)[] {
    const { older, more } = this.list;
    if (arrangement.choices.showsAhead && more.kind === 'none') {
      // All that is left was read, and shows as far as it matches.
      return [];
    }
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

  #makeOlder(): OlderNode {
    const id = `older:${this.#key}:${this.#pages}`;
    return { kind: 'older', id, parent: this.parent, list: this.list };
  }
}
