import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../model/session/session';
import { commandIds, contextKeys, viewIds } from '../../platform/ids';
import { failureActions } from '../../shared/failure';
import { assertNever } from '../../util/assertNever';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';
import { agentIcon } from '../agentIcon';
import type { TranscriptTab, TranscriptTabs } from '../tabs/tabs';
import { transcriptUri } from '../tabs/transcriptUri';
import type { Expansion } from './expansion';
import type { Appearance } from './nodes/appearance';
import type { Arrangement } from './nodes/arrangement';
import { FirstRows } from './nodes/firstRows';
import { makeFoldedRow } from './nodes/foldedRows';
import type { MessageNode, SessionsNode } from './nodes/nodes';
import { agentNodeId } from './nodes/rootNodes';
import type { SessionsTree } from './nodes/tree';
import type { RowDrops } from './rowDrops';

/** The open sessions, as far as the view's badge shows them. */
export interface ShownSessions {
  readonly onDidChange: Event<Session>;
  /** The requests that wait for the user, across all sessions. */
  readonly waiting: readonly unknown[];
}

/** How often relative times, which change without an event, are checked while the view is visible, in ms. */
const tickInterval = 60_000;

/** The view `acpSessions.sessions`: renders the nodes of the tree with VS Code. */
export class SessionsView implements Disposable, vscode.TreeDataProvider<SessionsNode> {
  readonly #tree: SessionsTree;
  readonly #openSessions: ShownSessions;
  readonly #arrangement: Arrangement;
  readonly #tabs: TranscriptTabs;
  readonly #expansion: Expansion;
  readonly #drops: RowDrops;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<SessionsNode[] | undefined>());
  readonly #rowsShown = this.#store.add(new Emitter<void>());
  readonly #view: vscode.TreeView<SessionsNode>;
  readonly #firstRows = new FirstRows();
  #ticker: ReturnType<typeof setInterval> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;
  /** The rows changed, or the view's visibility did. */
  readonly onDidShowRows = this.#rowsShown.event;

  constructor(
    tree: SessionsTree,
    openSessions: ShownSessions,
    arrangement: Arrangement,
    tabs: TranscriptTabs,
    expansion: Expansion,
    drops: RowDrops,
  ) {
    this.#tree = tree;
    this.#openSessions = openSessions;
    this.#arrangement = arrangement;
    this.#tabs = tabs;
    this.#expansion = expansion;
    this.#drops = drops;
    this.#store.add(
      tree.onDidChange((nodes) => {
        this.#nameView();
        this.#changed.fire(nodes && [...nodes]);
        this.#rowsShown.fire();
      }),
    );
    this.#store.add(arrangement.onDidChange(() => this.#describe()));
    this.#store.add(tree.onDidUseOlder(() => this.#keepFocus()));
    this.#store.add(openSessions.onDidChange(() => this.#showBadge()));
    this.#view = this.#store.add(
      vscode.window.createTreeView(viewIds.sessions, {
        treeDataProvider: this,
        canSelectMany: true,
        dragAndDropController: drops,
      }),
    );
    this.#watchView();
    this.#tickWhileVisible();
    this.#nameView();
    this.#describe();
    this.#showBadge();
  }

  #watchView(): void {
    this.#store.add(this.#view.onDidExpandElement(({ element }) => this.#remember(element, true)));
    this.#store.add(
      this.#view.onDidCollapseElement(({ element }) => this.#remember(element, false)),
    );
    this.#store.add(
      this.#view.onDidChangeVisibility(() => {
        this.#tickWhileVisible();
        this.#rowsShown.fire();
      }),
    );
  }

  getChildren(node?: SessionsNode): SessionsNode[] {
    const children = [...this.#tree.children(node)];
    this.#firstRows.give(children, (child) => this.#isExpanded(child));
    return children;
  }

  /**
   * Resolves when VS Code has had time to draw the first rows, or doesn't show the view: whatever a window does
   * meanwhile, they wait for it.
   */
  async whenDrawn(): Promise<void> {
    // Before its answer to this, VS Code says whether it shows the view.
    const { scope } = this.#arrangement.choices;
    await vscode.commands.executeCommand('setContext', contextKeys.scope, scope);
    if (this.#view.visible) {
      await this.#firstRows.drawn();
    }
  }

  getParent(node: SessionsNode): SessionsNode | undefined {
    return this.#tree.parent(node);
  }

  getTreeItem(node: SessionsNode): vscode.TreeItem {
    return toTreeItem(node, this.#tree.draw(node), this.#isExpanded(node), this.#findTarget(node));
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    node: SessionsNode,
  ): vscode.TreeItem | Promise<vscode.TreeItem> {
    const resolve = (): vscode.TreeItem => {
      item.tooltip = this.#tree.tooltip(node) ?? '';
      return item;
    };
    return this.#tree.ready(node)?.then(resolve) ?? resolve();
  }

  /** The selected row if it is a message: a click selects it before it runs the row's command. */
  get selectedMessage(): MessageNode | undefined {
    const [node] = this.#view.selection;
    return node?.kind === 'message' ? node : undefined;
  }

  /** The selected row if a click on it signs in: a message, or an agent that needs it. */
  get selectedToSignIn(): SessionsNode | undefined {
    const [node] = this.#view.selection;
    return node?.kind === 'agent' && node.agent.signInNeeded ? node : this.selectedMessage;
  }

  /**
   * Selects a session's row and scrolls to it. Keeps the focus where it is, and also a selection of several rows,
   * which the user may be about to act on. `false` if the session has no visible row.
   */
  selectSession(agentId: string, sessionId: string): boolean {
    const { selection, visible } = this.#view;
    if (visible) {
      makeFoldedRow(this.#tree, agentId, sessionId);
    }
    const nodes = this.#tree
      .sessionNodes(agentId, sessionId)
      .filter(({ list }) => this.#tree.shows(list));
    const [node] = nodes;
    if (!visible || node === undefined) {
      return false;
    }
    if (selection.length < 2 && !nodes.some((own) => own === selection[0])) {
      // The row may be gone before VS Code has found it.
      this.#view.reveal(node, { select: true, focus: false }).then(undefined, () => undefined);
    }
    return true;
  }

  /** Lets an agent that is about to be added start; if it gets a row of its own, that begins unfolded. */
  unfoldAgent(agentId: string): void {
    this.#tree.want(agentId);
    this.#expansion.remember(agentNodeId(agentId), true);
  }

  /** The clicked row: VS Code selects it before it runs the row's command, which gets no arguments. */
  get selectedRow(): SessionsNode | undefined {
    return this.#view.selection[0];
  }

  get selectedRows(): readonly SessionsNode[] {
    return this.#view.selection;
  }

  /** Moves rows of one of the user's groups, or the group, by one place. */
  step(rows: readonly SessionsNode[], by: 'up' | 'down'): Promise<void> {
    return this.#drops.step(rows, by);
  }

  /**
   * The rows that a key applies to: the selection, or the focused row if it isn't selected. VS Code exposes only the
   * selection to extensions (https://github.com/microsoft/vscode/issues/170248), so this toggles the selection of the
   * focused row and back.
   */
  async focusedRows(): Promise<readonly SessionsNode[]> {
    const before = this.#view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const added = this.#view.selection.filter((node) => !before.includes(node));
    await vscode.commands.executeCommand('list.toggleSelection');
    return added.length > 0 ? added : before;
  }

  /** Collapses all rows; the title has no room for VS Code's own button. */
  async collapseAll(): Promise<void> {
    await vscode.commands.executeCommand(`${viewIds.sessions}.focus`);
    await vscode.commands.executeCommand('list.collapseAll');
  }

  dispose(): void {
    clearInterval(this.#ticker);
    this.#store.dispose();
  }

  /**
   * Which nodes start expanded. Of the agents only the first: showing an agent's sessions starts its
   * process, and one is enough to begin with.
   */
  #opensItself(node: SessionsNode): boolean {
    switch (node.kind) {
      case 'agent':
        return this.#tree.look().find(({ kind }) => kind === 'agent') === node;
      case 'folder':
      case 'group':
      case 'subagent':
        return true;
      case 'worktree':
      case 'moved':
      case 'older':
      // VS Code keeps a row folded that had no children before.
      case 'session':
      case 'problem':
      case 'filter':
      case 'message':
        return false;
      default:
        return assertNever(node);
    }
  }

  #isExpanded(node: SessionsNode): boolean {
    return this.#expansion.isExpanded(node.id, this.#opensItself(node));
  }

  #remember(node: SessionsNode, expanded: boolean): void {
    if (node.kind !== 'older') {
      this.#expansion.remember(node.id, expanded);
    }
  }

  /**
   * The loaded page replaces "Older sessions". The keyboard focus would be lost with that row, and the
   * next arrow key would start at the top of the tree, so this moves the focus to the row above. Nothing
   * scrolls.
   */
  #keepFocus(): void {
    void vscode.commands.executeCommand('list.focusUp');
  }

  #findTab(node: SessionsNode): TranscriptTab | undefined {
    return node.kind === 'session'
      ? this.#tabs.find(node.row.agentId, node.row.info.sessionId)
      : undefined;
  }

  /** The tab of the session, or of that of a subagent, if it is open; otherwise a new one, named after the session. */
  #findTarget(node: SessionsNode): RowTarget | undefined {
    const session = node.kind === 'subagent' ? node.session : node;
    if (session.kind !== 'session') {
      return undefined;
    }
    const { agentId, title, info } = session.row;
    const tab = this.#findTab(session);
    const name = this.#arrangement.getFacts(session.row).alias ?? title;
    return {
      uri: tab?.uri ?? transcriptUri({ ...info, agentId, title: name }, session.list.agent),
      viewColumn: tab?.viewColumn,
    };
  }

  #tickWhileVisible(): void {
    clearInterval(this.#ticker);
    if (this.#view.visible) {
      this.#ticker = setInterval(() => this.#tree.tick(), tickInterval);
    }
  }

  /** The number of requests that wait; VS Code shows it on the view's icon while the view is hidden. */
  #showBadge(): void {
    const count = this.#openSessions.waiting.length;
    if (count === (this.#view.badge?.value ?? 0)) {
      return;
    }
    const tooltip =
      count === 1
        ? l10n.t('1 request is waiting for you')
        : l10n.t('{0} requests are waiting for you', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  /** Notes beside the title when the view isn't limited to the window's folders. */
  #describe(): void {
    this.#view.description = this.#arrangement.choices.scope === 'all' ? l10n.t('all folders') : '';
  }

  /**
   * A single agent has no row: the view's title names it instead. VS Code puts the title of the side bar before it,
   * unless it is the same.
   */
  #nameView(): void {
    const title = this.#tree.onlyAgent?.title ?? 'ACP Sessions';
    // VS Code builds the toolbar anew for every title that it is given, a new one or not.
    if (title !== this.#view.title) this.#view.title = title;
  }
}

/**
 * The commands for clicks on rows that don't open a session. They take no arguments: VS Code drops a row's
 * arguments when the row is redrawn, and rejects a click that is already in flight
 * (https://github.com/microsoft/vscode/issues/173233).
 */
const commands: Readonly<Record<Exclude<NonNullable<Appearance['click']>, 'open'>, string>> = {
  newSession: commandIds.newSessionOfAgent,
  retry: commandIds.retrySessions,
  explain: commandIds.explainAgent,
  manageTrust: failureActions.manageTrust.command,
  signIn: failureActions.signIn.command,
  filter: commandIds.filterSessions,
  newGroup: commandIds.newGroup,
  clearFilter: commandIds.clearFilter,
  showHidden: commandIds.showHiddenSessions,
  hideHidden: commandIds.hideHiddenSessions,
};

/** The document that a session's row opens. */
interface RowTarget {
  readonly uri: vscode.Uri;
  /** The column in which its tab is open, to show it there. */
  readonly viewColumn: vscode.ViewColumn | undefined;
}

/** The tree item for a node. Its tooltip is resolved on demand. */
function toTreeItem(
  node: SessionsNode,
  appearance: Appearance,
  expanded: boolean,
  target: RowTarget | undefined,
): vscode.TreeItem {
  const item = new vscode.TreeItem(appearance.label, collapsibleState(appearance, expanded));
  item.id = node.id;
  item.contextValue = appearance.words.join(' ');
  if (appearance.description !== undefined) {
    item.description = appearance.description;
  }
  if (appearance.icon !== undefined) {
    const { id, color, own } = appearance.icon;
    item.iconPath =
      own === undefined
        ? new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color))
        : agentIcon(own);
  }
  if (appearance.spoken !== undefined) {
    item.accessibilityInformation = { label: appearance.spoken };
  }
  if (appearance.click === 'open' && target !== undefined) {
    // A command of VS Code, which keeps its arguments and handles previews, double clicks and
    // opening to the side.
    const { uri, viewColumn } = target;
    const place = viewColumn === undefined ? [] : [viewColumn];
    item.command = { command: 'vscode.open', title: '', arguments: [uri, ...place] };
  } else if (appearance.click !== undefined && appearance.click !== 'open') {
    item.command = { command: commands[appearance.click], title: '' };
  }
  return item;
}

function collapsibleState(
  { expandable }: Appearance,
  expanded: boolean,
): vscode.TreeItemCollapsibleState {
  if (!expandable) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return expanded
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}
