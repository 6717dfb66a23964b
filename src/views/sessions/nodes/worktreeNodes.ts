import path from 'node:path';
import type { Agent, SessionList } from '../../../model/agent';
import type { Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import type { Event } from '../../../util/emitter';
import type { AgentNode, FolderNode, MovedNode, WorktreeNode } from './nodes';

/** The source of the folders shown below a workspace folder, besides its own sessions. */
export interface Worktrees {
  below(folder: WorkspaceFolder): readonly Worktree[];
  movedTo(agentId: string, folder: WorkspaceFolder): readonly string[];
  refresh(): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The nodes of worktrees and of folders that have moved, by agent; each lives as long as its list. */
export class WorktreeNodes {
  readonly #worktrees: Worktrees;
  readonly #nodes = new Map<SessionList, WorktreeNode>();
  readonly #moved = new Map<SessionList, MovedNode>();

  constructor(worktrees: Worktrees) {
    this.#worktrees = worktrees;
  }

  below(
    agent: Agent,
    folder: WorkspaceFolder,
    parent: AgentNode | FolderNode | undefined,
  ): readonly (WorktreeNode | MovedNode)[] {
    const moved = this.#worktrees.movedTo(agent.id, folder);
    return [
      ...moved.map((from) => this.#movedNode(agent, from, parent)),
      ...this.#worktrees.below(folder).map((tree) => this.#treeNode(agent, tree, folder, parent)),
    ];
  }

  /** The agent's lists for worktrees and moved folders. */
  lists(agent: Agent, folders: readonly WorkspaceFolder[]): readonly SessionList[] {
    return folders.flatMap((folder) => [
      ...this.#worktrees.movedTo(agent.id, folder).map((from) => getList(agent, from)),
      ...this.#worktrees.below(folder).map(({ path: place }) => getList(agent, place)),
    ]);
  }

  keepOnly(live: ReadonlySet<SessionList>): void {
    for (const nodes of [this.#nodes, this.#moved]) {
      for (const list of nodes.keys()) {
        if (!live.has(list)) {
          nodes.delete(list);
        }
      }
    }
  }

  #treeNode(
    agent: Agent,
    worktree: Worktree,
    from: WorkspaceFolder,
    parent: WorktreeNode['parent'],
  ): WorktreeNode {
    const list = getList(agent, worktree.path);
    let node = this.#nodes.get(list);
    if (node === undefined || node.parent !== parent || node.worktree !== worktree) {
      const id = `worktree:${agent.id.length}:${agent.id}:${worktree.path}`;
      node = { kind: 'worktree', id, parent, list, worktree, from };
      this.#nodes.set(list, node);
    }
    return node;
  }

  #movedNode(agent: Agent, from: string, parent: MovedNode['parent']): MovedNode {
    const list = getList(agent, from);
    let node = this.#moved.get(list);
    if (node === undefined || node.parent !== parent) {
      const id = `moved:${agent.id.length}:${agent.id}:${from}`;
      node = { kind: 'moved', id, parent, list, from };
      this.#moved.set(list, node);
    }
    return node;
  }
}

function getList(agent: Agent, folder: string): SessionList {
  return agent.lists.of({ name: getFolderName(folder), path: folder });
}

/** The base name of a folder, otherwise its path; never empty. */
export function getFolderName(folder: string): string {
  return path.basename(folder) || folder;
}
