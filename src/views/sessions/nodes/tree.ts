import type { Agent, SessionList } from '../../../model/agent';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { AgentConfigProblem, Workspace, WorkspaceFolder } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import { getRef, type SessionRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import type { Appearance } from './appearance';
import type { Arrangement } from './arrangement';
import { DrawnRows, type RowSources } from './drawnRows';
import { ListNodes, type ListView } from './listNodes';
import type {
  AgentNode,
  FolderNode,
  ListParent,
  OlderNode,
  SessionNode,
  SessionsNode,
  ShownSubagent,
  SubagentNode,
} from './nodes';
import { RootNodes } from './rootNodes';
import type { Scope } from './sessionChoices';
import { SubagentNodes } from './subagentNodes';
import { WorktreeNodes, type Worktrees } from './worktreeNodes';

/** The part of the model that the tree shows. */
export interface TreeModel extends RowSources {
  readonly agents: {
    readonly all: readonly Agent[];
    readonly problems: readonly AgentConfigProblem[];
    readonly onDidChange: Event<void>;
    readonly onDidChangeAgent: Event<Agent>;
  };
  readonly workspace: Workspace;
  readonly worktrees: Worktrees;
  readonly arrangement: Arrangement;
  readonly sessions: RowSources['sessions'] & { readonly onDidChange: Event<Session> };
  readonly attention: RowSources['attention'] & { readonly onDidChange: Event<Session> };
  readonly tabs: RowSources['tabs'] & { readonly onDidChange: Event<SessionRef> };
  /** The subagents that are at work in a session. */
  runningIn(agentId: string, sessionId: string): readonly ShownSubagent[];
}

/** Changes within this time, in ms, are drawn together: one frame. */
const frame = 16;

/**
 * VS Code puts a change off until none has followed it for 200 ms, except for the first one: it would draw nothing while
 * an agent keeps changing its list more often than that (https://github.com/microsoft/vscode/pull/88051). After
 * `maxRushMs`, changes wait for `pause`; both in ms.
 */
const maxRushMs = 1000;
const pause = 205;

/**
 * The tree of agents, folders and sessions, as nodes: agents at the top, or the only agent's children;
 * below an agent its folders, or the only folder's sessions. It maps the model and loads only on
 * demand: an agent starts when `children` is first called for its sessions.
 */
export class SessionsTree implements Disposable {
  readonly #model: TreeModel;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<readonly SessionsNode[] | undefined>());
  readonly #usedOlder = this.#store.add(new Emitter<void>());
  readonly #nodes = new WeakSet<object>();
  readonly #rootNodes = new RootNodes();
  readonly #folders = new Map<SessionList, FolderNode>();
  readonly #worktrees: WorktreeNodes;
  readonly #subagents: SubagentNodes;
  readonly #drawn: DrawnRows;
  readonly #lists = new Map<
    SessionList,
    { readonly nodes: ListNodes; readonly listener: Disposable }
  >();
  readonly #dirtyLists = new Set<SessionList>();
  readonly #dirtyNodes = new Set<SessionsNode | undefined>();
  #shownAgents: readonly Agent[] = [];
  #shownScope: Scope = 'workspace';
  #saysFilter = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The times of the first of the changes that followed one another, and of the last, in ms since the epoch. */
  #rushBegan = 0;
  #toldAt = 0;

  /** The nodes to redraw with their descendants; `undefined`: all. */
  readonly onDidChange = this.#changed.event;
  /** "Older sessions" was expanded: the page that is being read will replace it. */
  readonly onDidUseOlder = this.#usedOlder.event;

  constructor(model: TreeModel, now: () => number = Date.now) {
    this.#model = model;
    this.#now = now;
    const { agents, workspace, worktrees, arrangement } = model;
    this.#worktrees = new WorktreeNodes(worktrees);
    this.#subagents = new SubagentNodes(({ row }) =>
      model.runningIn(row.agentId, row.info.sessionId),
    );
    this.#drawn = new DrawnRows(model, this, now);
    this.#store.add(agents.onDidChange(() => this.#changeShape()));
    this.#store.add(workspace.onDidChange(() => this.#changeShape()));
    this.#store.add(worktrees.onDidChange(() => this.#changeShape()));
    this.#store.add(agents.onDidChangeAgent((agent) => this.#changeAgent(agent)));
    this.#store.add(
      arrangement.onDidChange(() => {
        this.tick();
        const { scope, isFiltered } = arrangement.choices;
        const isSame = this.#shownScope === scope && this.#saysFilter === isFiltered;
        if (isFiltered) {
          this.#dirtyNodes.add(this.#rootNodes.filter);
        }
        if (!isSame || !sameItems(this.#shownAgents, arrangement.getAgents(agents.all))) {
          this.#dirtyNodes.add(undefined);
        }
        this.#schedule();
      }),
    );
    this.#followLooks();
  }

  /** What changes how rows look, and neither which there are nor where. */
  #followLooks(): void {
    const { sessions, attention, tabs, checks, registry, agents } = this.#model;
    const redraw = ({ agentId, sessionId }: SessionRef): void =>
      this.#redrawOld(this.sessionNodes(agentId, sessionId));
    for (const changed of [sessions.onDidChange, attention.onDidChange]) {
      this.#store.add(changed((session) => redraw(getRef(session))));
    }
    this.#store.add(tabs.onDidChange(redraw));
    this.#store.add(checks.onDidChange(redraw));
    for (const facts of [registry.newerVersions, registry.icons]) {
      this.#store.add(
        facts.onDidChange(() =>
          this.#redrawOld(agents.all.flatMap((agent) => this.#rootNodes.known(agent) ?? [])),
        ),
      );
    }
  }

  /** The children of a node, or the nodes at the top, for VS Code, which draws them as they are now. */
  children(node?: SessionsNode): readonly SessionsNode[] {
    const found = this.#getChildren(node);
    for (const child of found) {
      this.#nodes.add(child);
    }
    return found;
  }

  /** The children of a node for anyone but VS Code, which is still told what has changed. */
  look(node?: SessionsNode): readonly SessionsNode[] {
    this.#readLists();
    return this.children(node);
  }

  /** How a node looks now, for VS Code, which draws it so. */
  draw(node: SessionsNode): Appearance {
    return this.#drawn.draw(node);
  }

  /** The text shown on hover: plain text of bounded length. */
  tooltip(node: SessionsNode): string | undefined {
    return this.#drawn.tooltip(node);
  }

  parent(node: SessionsNode): SessionsNode | undefined {
    return node.parent;
  }

  /** Whether a value from outside is a node of this tree. */
  isNode(value: unknown): value is SessionsNode {
    return typeof value === 'object' && value !== null && this.#nodes.has(value);
  }

  /** The only agent, whose children are the nodes at the top. */
  get onlyAgent(): Agent | undefined {
    const { all } = this.#model.agents;
    return all.length === 1 && this.#isUsable && !all[0]?.config.removed ? all[0] : undefined;
  }

  get folders(): readonly WorkspaceFolder[] {
    return this.#model.workspace.folders;
  }

  agentTitle(id: string): string | undefined {
    return this.#model.agents.all.find((agent) => agent.id === id)?.title;
  }

  /** The subagents at work below a session's row, or another one's. */
  subagentsBelow(node: SessionNode | SubagentNode): readonly SubagentNode[] {
    return this.#subagents.below(node);
  }

  /** The nodes of a session, one for each list that contains it. */
  sessionNodes(agentId: string, sessionId: string): readonly SessionNode[] {
    return [...this.#lists].flatMap(([list, { nodes }]) => {
      const node =
        list.agent.id === agentId ? nodes.findSession(sessionKey(agentId, sessionId)) : undefined;
      return node === undefined ? [] : [node];
    });
  }

  /** Every list with rows below a folder's node. */
  listsBelow({ list, folder }: FolderNode): readonly SessionList[] {
    return [list, ...this.#worktrees.lists(list.agent, [folder])];
  }

  /** Whether a list has a place in the tree as currently shown. */
  shows(list: SessionList): boolean {
    return this.#shownAgents.includes(list.agent) && this.lists.includes(list);
  }

  /** Reads the lists that were looked at again from their first page: all of them, or one agent's. */
  async refresh(agentId?: string): Promise<void> {
    await this.#model.worktrees.refresh();
    await Promise.all(this.#getLists(agentId).map((list) => list.refresh()));
  }

  /** Redraws everything that changes with time alone: outdated rows, and groups on a new day. */
  tick(): void {
    for (const [list, { nodes }] of this.#lists) {
      this.#dirtyLists.add(list);
      this.#redrawOld([...nodes.sessions]);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { listener } of this.#lists.values()) {
      listener.dispose();
    }
    this.#store.dispose();
  }

  #getChildren(node: SessionsNode | undefined): readonly SessionsNode[] {
    switch (node?.kind) {
      case undefined:
        return this.#roots();
      case 'agent':
        return this.#belowAgent(node.agent, node);
      case 'folder':
        return this.#belowFolder(node.list.agent, node.folder, node);
      case 'worktree':
      case 'moved':
        return this.#belowList(node.list, node);
      case 'group':
        return node.sessions;
      case 'older':
        this.#readOlder(node);
        return [];
      case 'session':
      case 'subagent':
        return this.#subagents.below(node);
      case 'problem':
      case 'filter':
      case 'message':
        return [];
    }
  }

  #roots(): readonly SessionsNode[] {
    if (!this.#isUsable) {
      return [];
    }
    const { agents, arrangement } = this.#model;
    const only = this.onlyAgent;
    this.#shownAgents = arrangement.getAgents(agents.all);
    this.#shownScope = arrangement.choices.scope;
    const shown =
      only === undefined
        ? this.#shownAgents.map((agent) => this.#rootNodes.agent(agent))
        : this.#belowAgent(only, undefined);
    this.#saysFilter = arrangement.choices.isFiltered;
    return [
      ...(this.#saysFilter ? [this.#rootNodes.filter] : []),
      ...shown,
      ...agents.problems.map((problem) => this.#rootNodes.problem(problem)),
    ];
  }

  /** Every list that has a place in the view, loaded or not. */
  get lists(): readonly SessionList[] {
    const { agents, workspace } = this.#model;
    return agents.all.flatMap((agent) =>
      this.#model.arrangement.choices.showsAll(agent)
        ? [agent.lists.of(undefined)]
        : [
            ...workspace.folders.map((folder) => agent.lists.of(folder)),
            ...this.#worktrees.lists(agent, workspace.folders),
          ],
    );
  }

  /** Whether there is a tree: without trust or a folder, the view's welcome text says what is missing. */
  get #isUsable(): boolean {
    const { folders, trusted } = this.#model.workspace;
    return folders.length > 0 && trusted;
  }

  #belowAgent(agent: Agent, parent: AgentNode | undefined): readonly SessionsNode[] {
    const { folders } = this.#model.workspace;
    if (this.#model.arrangement.choices.showsAll(agent)) {
      return this.#belowList(agent.lists.of(undefined), parent);
    }
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) {
      return this.#belowFolder(agent, only, parent);
    }
    return folders.map((folder) => this.#folderNode(agent, folder, parent));
  }

  #belowFolder(
    agent: Agent,
    folder: WorkspaceFolder,
    parent: AgentNode | FolderNode | undefined,
  ): readonly SessionsNode[] {
    const own = this.#belowList(agent.lists.of(folder), parent);
    return [...own, ...this.#worktrees.below(agent, folder, parent)];
  }

  #belowList(list: SessionList, parent: ListParent): readonly SessionsNode[] {
    let entry = this.#lists.get(list);
    const firstLook = entry === undefined;
    if (entry === undefined || entry.nodes.parent !== parent) {
      entry?.listener.dispose();
      const key = `${list.agent.id.length}:${list.agent.id}:${list.folder?.path ?? ''}`;
      const listener = list.onDidChange(({ type }) => {
        if (type !== 'ahead') {
          this.#dirtyLists.add(list);
          this.#schedule();
        }
      });
      entry = { nodes: new ListNodes(list, parent, key), listener };
      this.#lists.set(list, entry);
    }
    if (firstLook) {
      // VS Code asks for the children of what it shows, and for no others: it has no other event for that.
      void list.load();
    }
    this.#dirtyLists.delete(list);
    entry.nodes.update(this.#listView);
    return entry.nodes.children;
  }

  /**
   * Reads while children are asked for, because a tree of VS Code has no paging: expanding the node is the user's
   * request (https://github.com/microsoft/vscode/issues/34151).
   */
  #readOlder(older: OlderNode): void {
    if (this.#lists.get(older.list)?.nodes.useOlder(older) === true) {
      this.#usedOlder.fire();
      void older.list.loadMore().finally(() => {
        // The used node must go even if nothing was loaded.
        this.#dirtyLists.add(older.list);
        this.#schedule();
      });
    }
  }

  #getLists(agentId: string | undefined): SessionList[] {
    return [...this.#lists.keys()].filter(
      ({ agent }) => agentId === undefined || agent.id === agentId,
    );
  }

  get #listView(): ListView {
    return {
      arrangement: this.#model.arrangement,
      isShared: this.onlyAgent === undefined,
      folders: this.folders,
      now: this.#now(),
    };
  }

  #folderNode(agent: Agent, folder: WorkspaceFolder, parent: AgentNode | undefined): FolderNode {
    const list = agent.lists.of(folder);
    let node = this.#folders.get(list);
    if (node === undefined || node.parent !== parent) {
      const id = `folder:${agent.id.length}:${agent.id}:${folder.path}`;
      node = { kind: 'folder', id, parent, list, folder };
      this.#folders.set(list, node);
    }
    return node;
  }

  #changeAgent(agent: Agent): void {
    const row = this.onlyAgent === agent ? undefined : this.#rootNodes.known(agent);
    if (row !== undefined && this.#drawn.isOld(row)) {
      this.#dirtyNodes.add(row);
    }
    for (const [list, { nodes }] of this.#lists) {
      if (list.agent === agent) {
        this.#dirtyLists.add(list);
        // What the agent supports shows in each row: one redraw of all is less than one of each.
        if ([...nodes.sessions].some((node) => this.#drawn.isOld(node))) {
          this.#dirtyNodes.add(nodes.parent);
        }
      }
    }
    this.#schedule();
  }

  /** Agents or folders were added or removed: releases the nodes of the removed ones. */
  #changeShape(): void {
    const { agents, workspace } = this.#model;
    const live = new Set<SessionList>(
      agents.all.flatMap((agent) => [
        ...workspace.folders.map((folder) => agent.lists.of(folder)),
        ...this.#worktrees.lists(agent, workspace.folders),
        agent.lists.of(undefined),
      ]),
    );
    this.#worktrees.keepOnly(live);
    for (const [list, { listener }] of this.#lists) {
      if (!live.has(list)) {
        listener.dispose();
        this.#lists.delete(list);
        this.#dirtyLists.delete(list);
      }
    }
    for (const list of this.#folders.keys()) {
      if (!live.has(list)) {
        this.#folders.delete(list);
      }
    }
    this.#rootNodes.keepOnly(agents.all);
    this.#dirtyNodes.add(undefined);
    this.#schedule();
  }

  /**
   * Redraws those of the nodes that look otherwise than they were drawn, with the next frame: VS Code asks anew for
   * everything below a node that is redrawn.
   */
  #redrawOld(nodes: readonly SessionsNode[]): void {
    for (const node of nodes) {
      if (this.#drawn.isOld(node)) {
        this.#dirtyNodes.add(node);
      }
    }
    this.#schedule();
  }

  /** Notes which nodes change with the lists that have changed. */
  #readLists(): void {
    for (const list of this.#dirtyLists) {
      for (const node of this.#lists.get(list)?.nodes.update(this.#listView) ?? []) {
        this.#dirtyNodes.add(node);
      }
    }
    this.#dirtyLists.clear();
  }

  #schedule(): void {
    const isRush = this.#isRush;
    this.#timer ??= setTimeout(() => this.#flush(isRush), isRush ? pause : frame);
  }

  /** Whether changes have followed one another for so long that VS Code has drawn none of them. */
  get #isRush(): boolean {
    return this.#toldAt - this.#rushBegan > maxRushMs && Date.now() - this.#toldAt < pause;
  }

  #flush(isRush: boolean): void {
    this.#timer = undefined;
    this.#readLists();
    const nodes = new Set(this.#dirtyNodes);
    this.#dirtyNodes.clear();
    if (nodes.size === 0) {
      return;
    }
    const now = Date.now();
    if (now - this.#toldAt > 2 * pause) {
      this.#rushBegan = now;
    }
    this.#toldAt = now;
    // In a rush, VS Code may still be reading the tree: a change of one row could be overtaken by what it reads.
    if (nodes.has(undefined) || isRush) {
      this.#changed.fire(undefined);
    } else {
      this.#changed.fire([...nodes].filter((node) => node !== undefined));
    }
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
