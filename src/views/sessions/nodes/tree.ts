import { type Agent, isConfigured, type SessionList } from '../../../model/agent';
import { getKey, sessionKey } from '../../../model/list/sessionInfo';
import type { AgentConfigProblem, Workspace, WorkspaceFolder } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import { getRef, type SessionRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import type { Attention } from '../../attention/attention';
import type { Appearance } from './appearance';
import type { Arrangement } from './arrangement';
import { DrawnRows, type RowSources } from './drawnRows';
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
import { Redraws } from './redraws';
import { RootNodes } from './rootNodes';
import type { ListView } from './rowNodes';
import type { Grouping, Scope } from './sessionChoices';
import { ShownLists } from './shownLists';
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
  readonly attention: RowSources['attention'] & Pick<Attention, 'onDidChange' | 'onDidShow'>;
  readonly tabs: RowSources['tabs'] & { readonly onDidChange: Event<SessionRef> };
  /** The subagents that are at work in a session. */
  runningIn(agentId: string, sessionId: string): readonly ShownSubagent[];
}

/**
 * The tree of agents, folders and sessions, as nodes: agents at the top, or the only agent's children;
 * below an agent its folders, or the only folder's sessions. It maps the model and loads only on
 * demand: an agent starts when `children` is first called for its sessions.
 */
export class SessionsTree implements Disposable {
  readonly #model: TreeModel;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  readonly #redraws = this.#store.add(new Redraws(() => this.#readLists()));
  readonly #usedOlder = this.#store.add(new Emitter<void>());
  readonly #nodes = new WeakSet<object>();
  readonly #rootNodes = new RootNodes();
  readonly #folders = new Map<SessionList, FolderNode>();
  readonly #worktrees: WorktreeNodes;
  readonly #subagents: SubagentNodes;
  readonly #drawn: DrawnRows;
  readonly #lists = this.#store.add(
    new ShownLists(
      () => this.#redraws.schedule(),
      () => this.#model.arrangement.choices.showsAhead,
    ),
  );
  #shownAgents: readonly Agent[] = [];
  /** Those with a line of their own. */
  #shownLines: readonly Agent[] = [];
  #shownScope: Scope = 'workspace';
  /** `undefined`: nothing was shown yet. */
  #shownGrouping: Grouping | undefined;
  #saysFilter = false;
  /** Any session's row may look otherwise than it was drawn: those that still show are compared with the next look. */
  #looksMayBeOld = false;

  /** The nodes to redraw with their descendants; `undefined`: all. */
  readonly onDidChange = this.#redraws.onDue;
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
    this.#store.add(arrangement.onDidChange(() => this.#arrangeAnew()));
    this.#store.add(
      arrangement.onDidMove(() => {
        this.#lists.note();
        this.#redraws.schedule();
      }),
    );
    this.#followLooks();
  }

  #arrangeAnew(): void {
    const { arrangement, agents } = this.#model;
    this.tick();
    const { scope, isFiltered, grouping } = arrangement.choices;
    const isSame =
      this.#shownScope === scope &&
      this.#saysFilter === isFiltered &&
      this.#isMerged(this.#shownGrouping) === this.#isMerged(grouping) &&
      sameItems(this.#shownAgents, arrangement.getAgents(agents.all));
    if (isFiltered) {
      this.#redraws.add(this.#rootNodes.filter);
    }
    if (!isSame && this.#shownGrouping !== undefined) {
      this.#redraws.add(undefined);
    }
    this.#redraws.schedule();
  }

  /** What changes how rows look, and whether their sessions need the user. */
  #followLooks(): void {
    const { sessions, attention, tabs, checks, worktreeStates, registry, agents } = this.#model;
    const redraw = ({ agentId, sessionId }: SessionRef): void =>
      this.#redrawOld(this.sessionNodes(agentId, sessionId));
    for (const changed of [sessions.onDidChange, attention.onDidChange]) {
      this.#store.add(
        changed((session) => {
          this.#lists.noteStanding(getKey(getRef(session)), this.#listView);
          redraw(getRef(session));
        }),
      );
    }
    this.#store.add(
      attention.onDidShow(() => {
        // The one that was shown before may have its place back.
        for (const { row } of this.#lists.needing) {
          this.#lists.noteStanding(row.key, this.#listView);
        }
        this.#redraws.schedule();
      }),
    );
    this.#store.add(tabs.onDidChange(redraw));
    this.#store.add(checks.onDidChange(redraw));
    this.#store.add(
      worktreeStates.onDidChange(() => {
        this.#looksMayBeOld = true;
        this.#redraws.schedule();
      }),
    );
    for (const facts of [registry.newerVersions, registry.icons]) {
      this.#store.add(
        facts.onDidChange(() => {
          this.#redrawOld(agents.all.flatMap((agent) => this.#rootNodes.known(agent)));
          this.#redrawLines();
        }),
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

  /** Reads what a tooltip says, if it isn't known yet. `undefined`: there is nothing to wait for. */
  ready(node: SessionsNode): Promise<void> | undefined {
    return this.#drawn.ready(node);
  }

  parent(node: SessionsNode): SessionsNode | undefined {
    return node.parent;
  }

  /** Whether a value from outside is a node of this tree. */
  isNode(value: unknown): value is SessionsNode {
    return typeof value === 'object' && value !== null && this.#nodes.has(value);
  }

  /** These nodes in the order in which they show. */
  inOrder(nodes: readonly SessionsNode[]): readonly SessionsNode[] {
    const shown = this.look().flatMap((node): readonly SessionsNode[] =>
      node.kind === 'group' ? [node, ...node.sessions] : [node],
    );
    const places = new Map(shown.map((node, place) => [node, place]));
    return nodes.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }

  /** The only agent, whose children are the nodes at the top. */
  get onlyAgent(): Agent | undefined {
    const { all } = this.#model.agents;
    return all.length === 1 && this.#isUsable && !all[0]?.config.removed ? all[0] : undefined;
  }

  get folders(): readonly WorkspaceFolder[] {
    return this.#model.workspace.folders;
  }

  /** How many sessions show, of those that were read. */
  get counts(): { readonly shown: number; readonly known: number } {
    this.#readLists();
    const shown = new Set(this.lists.filter(this.#isShown));
    return {
      shown: [...this.#lists.sessions].filter(({ list }) => shown.has(list)).length,
      known: [...shown].reduce((sum, { rows }) => sum + rows.length, 0),
    };
  }

  /** Starts an agent as soon as its sessions are listed with those of others, whether or not it was used here. */
  want(agentId: string): void {
    this.#lists.want(agentId);
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
    return this.#lists.find(sessionKey(agentId, sessionId));
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
    this.#lists.note();
    this.#looksMayBeOld = true;
    this.#redraws.schedule();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #getChildren(node: SessionsNode | undefined): readonly SessionsNode[] {
    switch (node?.kind) {
      case undefined:
        return this.#roots();
      case 'agent':
        return node.isLine ? [] : this.#withNeeds(this.#belowAgent(node.agent, node));
      case 'folder':
        return this.#withNeeds(this.#belowFolder(node.list.agent, node.folder, node));
      case 'worktree':
      case 'moved':
        return this.#withNeeds(this.#belowList(node.list, node));
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
    this.#shownAgents = arrangement.getAgents(agents.all);
    this.#shownScope = arrangement.choices.scope;
    this.#shownGrouping = arrangement.choices.grouping;
    this.#saysFilter = arrangement.choices.isFiltered;
    this.#shownLines = this.#lines;
    const shown = this.#shown();
    return [
      ...(this.#saysFilter ? [this.#rootNodes.filter] : []),
      // After the others, which have been looked at for them.
      ...this.#lists.needs(this.#isShown),
      ...shown,
      ...agents.problems.map((problem) => this.#rootNodes.problem(problem)),
    ];
  }

  /** The only agent's sessions, those of all agents in one list, or the agents. */
  #shown(): readonly SessionsNode[] {
    const only = this.onlyAgent;
    if (this.#isMerged(this.#shownGrouping)) {
      const merged = this.#shownAgents.filter(isConfigured);
      // Traces and removed agents come and go on their own, with actions on each as a whole.
      const others = this.#shownAgents.filter((agent) => !isConfigured(agent));
      return [
        ...this.#lists.merged(
          merged.flatMap((agent) => this.#listsOf(agent)),
          this.#listView,
        ),
        ...this.#shownLines.map((agent) => this.#rootNodes.line(agent)),
        ...others.map((agent) => this.#rootNodes.agent(agent)),
      ];
    }
    this.#lists.separate();
    return only === undefined
      ? this.#shownAgents.map((agent) => this.#rootNodes.agent(agent))
      : this.#belowAgent(only, undefined);
  }

  /** The agents of the one list that there is something to say about. */
  get #lines(): readonly Agent[] {
    return this.onlyAgent === undefined && this.#isMerged(this.#shownGrouping)
      ? this.#shownAgents.filter((agent) => isConfigured(agent) && this.#drawn.isMarked(agent))
      : [];
  }

  /** Redraws the top if an agent gets a line of its own, or loses it. */
  #redrawLines(): void {
    if (!sameItems(this.#shownLines, this.#lines)) {
      this.#redraws.add(undefined);
      this.#redraws.schedule();
    }
  }

  /** Whether all lists show as one: groups hold sessions of any agent and folder. */
  #isMerged(grouping: Grouping | undefined): boolean {
    return this.onlyAgent === undefined ? grouping !== 'agent' : grouping === 'own';
  }

  /** Every list that has a place in the view, loaded or not. */
  get lists(): readonly SessionList[] {
    return this.#model.agents.all.flatMap((agent) => this.#listsOf(agent));
  }

  #listsOf(agent: Agent): readonly SessionList[] {
    const { folders } = this.#model.workspace;
    return this.#model.arrangement.choices.showsAll(agent)
      ? [agent.lists.of(undefined)]
      : [
          ...folders.map((folder) => agent.lists.of(folder)),
          ...this.#worktrees.lists(agent, folders),
        ];
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
    const others = this.#worktrees
      .below(agent, folder, parent)
      .filter((node) => node.kind === 'moved' || this.#lists.watch(node.list, this.#listView));
    return [...own, ...others];
  }

  #belowList(list: SessionList, parent: ListParent): readonly SessionsNode[] {
    return this.#lists.below(list, parent, this.#listView);
  }

  /** What a first look finds that needs the user shows at the top. */
  #withNeeds(children: readonly SessionsNode[]): readonly SessionsNode[] {
    this.#redraws.add(...this.#lists.updateNeeds(this.#isShown));
    this.#redraws.schedule();
    return children;
  }

  readonly #isShown = (list: SessionList): boolean => this.shows(list);

  /**
   * Reads while children are asked for, because a tree of VS Code has no paging: expanding the node is the user's
   * request (https://github.com/microsoft/vscode/issues/34151).
   */
  #readOlder(older: OlderNode): void {
    const read = this.#lists.readOlder(older);
    if (read !== undefined) {
      this.#usedOlder.fire();
      void read.finally(() => {
        // The used node must go even if nothing was loaded.
        this.#lists.note(older.list);
        this.#redraws.schedule();
      });
    }
  }

  #getLists(agentId: string | undefined): readonly SessionList[] {
    return this.#lists.all.filter(({ agent }) => agentId === undefined || agent.id === agentId);
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
    this.#addOld(this.onlyAgent === agent ? [] : this.#rootNodes.known(agent));
    this.#redrawLines();
    this.#lists.note(agent.id);
    // What the agent supports shows in each row: one redraw of all is less than one of each.
    this.#redraws.add(...this.#lists.parentsOf(agent.id, (node) => this.#drawn.isOld(node)));
    this.#redraws.schedule();
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
    this.#lists.keepOnly(live);
    for (const list of this.#folders.keys()) {
      if (!live.has(list)) {
        this.#folders.delete(list);
      }
    }
    this.#rootNodes.keepOnly(agents.all);
    this.#redraws.add(undefined);
    this.#redraws.schedule();
  }

  /**
   * Redraws those of the nodes that look otherwise than they were drawn, with the next frame: VS Code asks anew for
   * everything below a node that is redrawn.
   */
  #redrawOld(nodes: Iterable<SessionsNode>): void {
    this.#addOld(nodes);
    this.#redraws.schedule();
  }

  #addOld(nodes: Iterable<SessionsNode>): void {
    for (const node of nodes) {
      if (this.#drawn.isOld(node)) {
        this.#redraws.add(node);
      }
    }
  }

  /** Notes which nodes change with the lists that have changed. */
  #readLists(): void {
    this.#redraws.add(...this.#lists.readChanges(this.#listView, this.#isShown));
    if (this.#looksMayBeOld) {
      this.#looksMayBeOld = false;
      this.#addOld(this.#lists.sessions);
    }
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
