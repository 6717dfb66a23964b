import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionRow } from '../../model/agents/agent';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { viewIds } from '../../platform/ids';
import { assertNever } from '../../util/assertNever';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';
import type { Attention } from '../attention/attention';
import { standingOf } from '../attention/standing';
import type { TranscriptTab, TranscriptTabs } from '../transcript/tabs/tabs';
import { transcriptUri } from '../transcript/tabs/transcriptUri';
import { Expansion } from './expansion';
import { type AppearanceContext, appearanceOf } from './nodes/appearance';
import type { Arrangement } from './nodes/arrangement';
import type { FilterState } from './nodes/choices';
import { folderFacts, placeLine } from './nodes/folderGroups';
import type { MessageNode, SessionsNode } from './nodes/nodes';
import { tooltipOf } from './nodes/tooltips';
import type { SessionsTree } from './nodes/tree';
import { type RowTarget, toTreeItem } from './treeItems';

/** The sessions that are open, as far as the rows show them. */
export interface OpenSessions {
  find(agentId: string, sessionId: string): Session | undefined;
  readonly onDidChange: Event<Session>;
  /** What waits for a person, over all sessions. */
  readonly waiting: readonly unknown[];
}

/** Relative times are looked at this often, in ms, while the view is visible. */
const tickInterval = 60_000;

/** As the line of the filter lists them. */
const stateWords: Readonly<Record<FilterState, string>> = {
  open: l10n.t('open'),
  unread: l10n.t('unread'),
  pinned: l10n.t('pinned'),
  archived: l10n.t('archived'),
};

/** The view `acpSessions.sessions`: draws the nodes of the tree with VS Code. */
export class SessionsView implements Disposable, vscode.TreeDataProvider<SessionsNode> {
  readonly #tree: SessionsTree;
  readonly #openSessions: OpenSessions;
  readonly #attention: Attention;
  readonly #arrangement: Arrangement;
  readonly #tabs: TranscriptTabs;
  readonly #expansion: Expansion;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<SessionsNode[] | undefined>());
  readonly #rowsShown = this.#store.add(new Emitter<void>());
  readonly #view: vscode.TreeView<SessionsNode>;
  /** What a node showed when it was last drawn, to tell whether it looks different now. */
  readonly #drawn = new WeakMap<SessionsNode, string>();
  #ticker: ReturnType<typeof setInterval> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;
  /** Other rows show, or the view does. */
  readonly onDidShowRows = this.#rowsShown.event;

  constructor(
    tree: SessionsTree,
    openSessions: OpenSessions,
    attention: Attention,
    arrangement: Arrangement,
    tabs: TranscriptTabs,
    memento: vscode.Memento,
  ) {
    this.#tree = tree;
    this.#openSessions = openSessions;
    this.#attention = attention;
    this.#arrangement = arrangement;
    this.#tabs = tabs;
    this.#expansion = new Expansion(memento);
    this.#store.add(
      tree.onDidChange((nodes) => {
        this.#nameView();
        this.#changed.fire(nodes && [...nodes]);
        this.#rowsShown.fire();
      }),
    );
    this.#store.add(
      arrangement.onDidChange(() => {
        this.#tree.tick((node) => this.#looksOld(node));
        this.#describe();
      }),
    );
    this.#store.add(tree.onDidUseOlder(() => this.#keepFocus()));
    this.#store.add(
      openSessions.onDidChange((session) => {
        this.#redrawSession(session.agent.id, session.info.sessionId);
        this.#showBadge();
      }),
    );
    this.#store.add(
      attention.onDidChange(({ agent, info }) => this.#redrawSession(agent.id, info.sessionId)),
    );
    this.#store.add(
      tabs.onDidChange(({ agentId, sessionId }) => this.#redrawSession(agentId, sessionId)),
    );
    this.#view = this.#store.add(
      vscode.window.createTreeView(viewIds.sessions, {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany: true,
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
    return [...this.#tree.children(node)];
  }

  getParent(node: SessionsNode): SessionsNode | undefined {
    return this.#tree.parent(node);
  }

  getTreeItem(node: SessionsNode): vscode.TreeItem {
    const appearance = appearanceOf(node, this.#context);
    this.#drawn.set(node, this.#lookOf(node, appearance));
    return toTreeItem(node, appearance, this.#isExpanded(node), this.#targetOf(node));
  }

  resolveTreeItem(item: vscode.TreeItem, node: SessionsNode): vscode.TreeItem {
    const alias = node.kind === 'session' ? this.#arrangement.factsOf(node.row).alias : undefined;
    const place = node.kind === 'session' ? placeLine(this.#arrangement.placeOf(node.row)) : '';
    item.tooltip = `${tooltipOf(node, alias) ?? ''}${place}${this.#workLine(node)}`;
    return item;
  }

  /** The line that is selected, if it is one that says something: a click selects it before it does anything. */
  get selectedMessage(): MessageNode | undefined {
    const [node] = this.#view.selection;
    return node?.kind === 'message' ? node : undefined;
  }

  /**
   * Selects a session's row and scrolls to it; the focus stays where it is, and so does a selection of several rows,
   * which somebody is about to do something with. `false` when no row of it shows.
   */
  selectSession(agentId: string, sessionId: string): boolean {
    const { selection, visible } = this.#view;
    const nodes = this.#tree
      .sessionNodes(agentId, sessionId)
      .filter(({ list }) => this.#tree.shows(list));
    const [node] = nodes;
    if (!visible || node === undefined) {
      return false;
    }
    if (selection.length < 2 && !nodes.some((own) => own === selection[0])) {
      // The row may go before VS Code has found it.
      this.#view.reveal(node, { select: true, focus: false }).then(undefined, () => undefined);
    }
    return true;
  }

  /** The row that was clicked: VS Code selects it before it runs the row's command, which gets no arguments. */
  get selectedRow(): SessionsNode | undefined {
    return this.#view.selection[0];
  }

  /**
   * The rows that a key is about: those that are selected, or the one that has the focus when it is none of them.
   * VS Code tells extensions of the selection only (https://github.com/microsoft/vscode/issues/170248), so the focused
   * row is selected, or not, for a moment.
   */
  async focusedRows(): Promise<readonly SessionsNode[]> {
    const before = this.#view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const added = this.#view.selection.filter((node) => !before.includes(node));
    await vscode.commands.executeCommand('list.toggleSelection');
    return added.length > 0 ? added : before;
  }

  dispose(): void {
    clearInterval(this.#ticker);
    this.#store.dispose();
  }

  /** Nothing can keep a window from being reloaded: what that ends is said before. */
  #workLine(node: SessionsNode): string {
    const session =
      node.kind === 'session'
        ? this.#openSessions.find(node.row.agentId, node.row.info.sessionId)
        : undefined;
    return session?.isBusy
      ? `\n\n${l10n.t('Goes on without its tab. Reloading or closing the window interrupts it.')}`
      : '';
  }

  get #context(): AppearanceContext {
    return {
      now: Date.now(),
      factsOf: (row) => this.#arrangement.factsOf(row),
      folderOf: (node) =>
        folderFacts(node, this.#tree.folders, this.#arrangement.placeOf(node.row)),
      filter: this.#filterWords,
      changedFiles: ({ row }) => this.#changedFiles(row),
      standing: ({ row }) => {
        const session = this.#openSessions.find(row.agentId, row.info.sessionId);
        return standingOf(session, session !== undefined && this.#attention.isUnread(session));
      },
    };
  }

  /** Looked for while nothing happens in the session only: each change would gather them all again. */
  #changedFiles({ agentId, info }: SessionRow): number {
    const session = this.#openSessions.find(agentId, info.sessionId);
    const isAtRest = session?.phase.kind !== 'loading' && session?.turn.kind !== 'running';
    return session !== undefined && isAtRest ? session.changes.files.length : 0;
  }

  /**
   * Which nodes come open: everything but further agents, because showing an agent's sessions starts
   * its process and one is enough to begin with.
   */
  #opensItself(node: SessionsNode): boolean {
    switch (node.kind) {
      case 'agent':
        return this.#tree.children()[0] === node;
      case 'folder':
      case 'group':
        return true;
      case 'worktree':
      case 'moved':
      case 'older':
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
   * The page will take the place of "Older sessions", and the keyboard's focus would go with it, so that
   * the next arrow key began at the top of the tree: the row above gets it. Nothing scrolls.
   */
  #keepFocus(): void {
    void vscode.commands.executeCommand('list.focusUp');
  }

  #redrawSession(agentId: string, sessionId: string): void {
    const nodes = this.#tree.sessionNodes(agentId, sessionId);
    this.#tree.redraw(nodes.filter((node) => this.#looksOld(node)));
  }

  /** Whether the node would be drawn differently now. */
  #looksOld(node: SessionsNode): boolean {
    const drawn = this.#drawn.get(node);
    return drawn !== undefined && drawn !== this.#lookOf(node);
  }

  /** All that a row shows and opens, as a text to compare. */
  #lookOf(node: SessionsNode, appearance = appearanceOf(node, this.#context)): string {
    return JSON.stringify([appearance, this.#tabOf(node)?.viewColumn]);
  }

  #tabOf(node: SessionsNode): TranscriptTab | undefined {
    return node.kind === 'session'
      ? this.#tabs.find(node.row.agentId, node.row.info.sessionId)
      : undefined;
  }

  /** The session's tab as it is, else one that will be named after the session. */
  #targetOf(node: SessionsNode): RowTarget | undefined {
    if (node.kind !== 'session') {
      return undefined;
    }
    const { agentId, title, info } = node.row;
    const tab = this.#tabOf(node);
    return {
      uri: tab?.uri ?? transcriptUri({ ...info, agentId, title }, node.list.agent),
      viewColumn: tab?.viewColumn,
    };
  }

  #tickWhileVisible(): void {
    clearInterval(this.#ticker);
    if (this.#view.visible) {
      this.#ticker = setInterval(
        () => this.#tree.tick((node) => this.#looksOld(node)),
        tickInterval,
      );
    }
  }

  /** How many answers are waited for; it shows on the view's icon too when the view doesn't. */
  #showBadge(): void {
    const count = this.#openSessions.waiting.length;
    if (count === (this.#view.badge?.value ?? 0)) {
      return;
    }
    const tooltip =
      count === 1 ? l10n.t('1 request waits for you') : l10n.t('{0} requests wait for you', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  /** Rows of more folders than those of the window are said beside the title. */
  #describe(): void {
    this.#view.description = this.#arrangement.scope === 'all' ? l10n.t('all folders') : '';
  }

  get #filterWords(): string {
    const { agents, states, text } = this.#arrangement.filter;
    const titles = agents.flatMap((id) => this.#tree.agentTitle(id) ?? []);
    return [
      ...states.map((state) => stateWords[state]),
      ...titles.map((title) => cleanText(title, 40)),
      ...(text === '' ? [] : [`“${cleanText(text, 40)}”`]),
    ].join(', ');
  }

  /** The only agent has no row of its own: the view's title names it. */
  #nameView(): void {
    this.#view.title = this.#tree.onlyAgent?.title ?? l10n.t('Sessions');
  }
}
