import type { SessionList, SessionRow } from '../../../model/agent';
import { type MergedRows, mergeRows, readOlder } from '../../../model/list/mergedRows';
import { findHead, isMainList, loadingKind } from './listHeads';
import type { ListMessage, MessageNode, OlderNode, SessionsNode } from './nodes';
import { type ListView, listKey, RowNodes, sameNodes } from './rowNodes';

const key = 'merged';

/** Maps the lists of several agents to the nodes at the top of the tree, and reports which of them changed. */
export class MergedNodes {
  readonly rows = new RowNodes(undefined, key);
  readonly #messages = new Map<string, MessageNode>();
  #lists: readonly SessionList[] = [];
  #older: OlderNode | undefined;
  #pages = 1;
  #isReading = false;
  #children: readonly SessionsNode[] = [];

  get lists(): readonly SessionList[] {
    return this.#lists;
  }

  get children(): readonly SessionsNode[] {
    return this.#children;
  }

  /**
   * Reads the next page; `undefined` if the node is used already, or belongs to an earlier page. Resolves when another
   * node is in its place, which is collapsed: VS Code keeps a used one expanded.
   */
  useOlder(node: OlderNode): Promise<void> | undefined {
    if (node !== this.#older || this.#isReading) {
      return undefined;
    }
    this.#isReading = true;
    return readOlder(this.#lists).finally(() => {
      this.#isReading = false;
      this.#older = undefined;
      this.#pages++;
    });
  }

  /** Reads the lists again. Returns the nodes to redraw: all of the tree if there are other ones at the top. */
  update(lists: readonly SessionList[], view: ListView): readonly (SessionsNode | undefined)[] {
    this.#lists = lists;
    const merged = mergeRows(lists);
    const listOf = (row: SessionRow) => findList(merged, row);
    const look = this.rows.update({ ...merged, listOf }, view);
    const { isFiltered, showsAhead, showsHidden, grouping } = view.arrangement.choices;
    const hasNoGroups = grouping === 'own' && view.arrangement.groups.length === 0;
    const { hidden } = look;
    const [first] = lists;
    const lines = lists.flatMap((list) => this.#line(list, isMainList(list, view.folders)));
    const isEmpty = merged.rows.length === 0 && lines.length === 0;
    const noneShown = !look.isShown && merged.rows.length > 0 && (isFiltered || hidden === 0);
    const say = (says: boolean, message: ListMessage): readonly MessageNode[] =>
      says && first !== undefined ? [this.#messageNode(first, message)] : [];
    const before = this.#children;
    this.#children = [
      ...uniqueLines(lines.filter(({ message }) => isTrouble(message))),
      ...say(noneShown, { kind: 'noneShown', filtered: isFiltered }),
      ...say(hasNoGroups && !isFiltered, { kind: 'noGroups' }),
      ...look.children,
      ...say(hidden > 0, { kind: 'hidden', count: hidden, shown: showsHidden }),
      ...say(isEmpty && merged.next === undefined, { kind: 'empty' }),
      ...this.#tail(showsAhead && merged.next?.more.kind === 'none' ? undefined : merged.next),
      ...uniqueLines(lines.filter(({ message }) => !isTrouble(message))),
    ];
    return sameNodes(before, this.#children)
      ? [...look.changed, ...this.#children.filter(isLine)]
      : [undefined];
  }

  /** What there is to say about one list: that it isn't there, or isn't complete. */
  #line(list: SessionList, isMain: boolean): readonly MessageNode[] {
    const message = findLine(list);
    // The lists of other worktrees come and go with less ado.
    const says = message !== undefined && (isMain || isLasting(message));
    return says ? [this.#messageNode(list, message)] : [];
  }

  /** `next`: the list whose page is next, unless all that is left was read, and shows as far as it matches. */
  #tail(next: SessionList | undefined): readonly OlderNode[] {
    if (next === undefined && !this.#isReading) {
      this.#older = undefined;
      return [];
    }
    if (this.#older === undefined && next !== undefined) {
      const id = `older:${key}:${this.#pages}`;
      this.#older = { kind: 'older', id, parent: undefined, list: next };
    } else if (this.#older !== undefined && next !== undefined) {
      this.#older.list = next;
    }
    return this.#older === undefined ? [] : [this.#older];
  }

  #messageNode(list: SessionList, message: ListMessage): MessageNode {
    const id = `message:${key}:${listKey(list)}:${message.kind}`;
    let node = this.#messages.get(id);
    if (node === undefined || node.list !== list) {
      node = { kind: 'message', id, parent: undefined, list, message, isShared: true };
      this.#messages.set(id, node);
    }
    node.message = message;
    return node;
  }
}

function findList({ lists }: MergedRows<SessionList>, { key: rowKey }: SessionRow): SessionList {
  const list = lists.get(rowKey);
  if (list === undefined) {
    throw new Error('A row is of one of the lists.');
  }
  return list;
}

function findLine(list: SessionList): ListMessage | undefined {
  const { agent, state, older } = list;
  if (state.kind === 'unread' && agent.state.kind === 'stopped') {
    return { kind: 'notStarted' };
  }
  if (older.kind === 'failed') {
    return { kind: 'moreFailed', failure: older.failure };
  }
  if (older.kind === 'stopped') {
    return { kind: 'moreStopped', reason: older.reason };
  }
  const head = findHead(list, list.rows.length > 0, false);
  if (head === undefined && state.kind === 'loading') {
    return { kind: loadingKind(list) };
  }
  // An agent without sessions here has nothing to say in the list of all.
  return head?.kind === 'empty' ? undefined : head;
}

/** What the user should see before all rows. */
function isTrouble({ kind }: ListMessage): boolean {
  return kind === 'failed' || kind === 'signIn' || kind === 'stale' || kind === 'notAcp';
}

function isLasting(message: ListMessage): boolean {
  return isTrouble(message) || message.kind === 'moreFailed' || message.kind === 'moreStopped';
}

/** An agent says a thing once, however many of its lists have it to say. */
function uniqueLines(lines: readonly MessageNode[]): readonly MessageNode[] {
  const said = new Map(
    lines.toReversed().map((line) => [`${line.message.kind} ${line.list.agent.id}`, line]),
  );
  return lines.filter((line) => [...said.values()].includes(line));
}

function isLine({ kind }: SessionsNode): boolean {
  return kind === 'message' || kind === 'older';
}
