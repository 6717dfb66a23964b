import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Agent, SessionList } from '../../model/agent';
import type { WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/titles';
import type { Worktree } from '../../model/worktrees';
import { type NodeWord, nodeWords } from '../../platform/ids';
import type { Event } from '../../util/emitter';
import type { AgentNode, FolderNode, WorktreeNode } from './nodes';

/** The part of the model that says what stands below a workspace folder besides its own sessions. */
export interface Worktrees {
  below(folder: WorkspaceFolder): readonly Worktree[];
  refresh(): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The nodes of work trees, by agent: each lives as long as its list. */
export class WorktreeNodes {
  readonly #worktrees: Worktrees;
  readonly #nodes = new Map<SessionList, WorktreeNode>();

  constructor(worktrees: Worktrees) {
    this.#worktrees = worktrees;
  }

  below(
    agent: Agent,
    folder: WorkspaceFolder,
    parent: AgentNode | FolderNode | undefined,
  ): readonly WorktreeNode[] {
    return this.#worktrees.below(folder).map((worktree) => {
      const list = listOf(agent, worktree);
      let node = this.#nodes.get(list);
      if (node === undefined || node.parent !== parent || node.worktree !== worktree) {
        const id = `worktree:${agent.id.length}:${agent.id}:${worktree.path}`;
        node = { kind: 'worktree', id, parent, list, worktree, from: folder };
        this.#nodes.set(list, node);
      }
      return node;
    });
  }

  /** The lists of an agent that are there to be looked at. */
  lists(agent: Agent, folders: readonly WorkspaceFolder[]): readonly SessionList[] {
    return folders.flatMap((folder) =>
      this.#worktrees.below(folder).map((worktree) => listOf(agent, worktree)),
    );
  }

  keepOnly(live: ReadonlySet<SessionList>): void {
    for (const list of this.#nodes.keys()) {
      if (!live.has(list)) {
        this.#nodes.delete(list);
      }
    }
  }
}

function listOf(agent: Agent, worktree: Worktree): SessionList {
  return agent.sessionList({ name: nameOf(worktree), path: worktree.path });
}

function nameOf({ path: folder }: Worktree): string {
  return path.basename(folder) || folder;
}

export function worktreeAppearance({ worktree, from }: WorktreeNode): {
  readonly label: string;
  readonly description: string;
  readonly icon: { readonly id: string };
  readonly words: readonly NodeWord[];
  readonly expandable: boolean;
} {
  const name = cleanText(nameOf(worktree), 200);
  const relative = path.relative(from.path, worktree.path);
  // Far away the whole path says more than a row of dots.
  const isNear = !path.isAbsolute(relative) && !relative.startsWith(path.join('..', '..', '..'));
  return {
    label: cleanText(worktree.branch ?? '', 200) || name,
    description: cleanText(isNear ? relative : worktree.path, 500),
    icon: { id: 'git-branch' },
    words: [nodeWords.folder],
    expandable: true,
  };
}

export function worktreeTooltip({ worktree }: WorktreeNode): string {
  const folder = cleanText(worktree.path, 1000);
  const kind = worktree.isMain
    ? l10n.t('Main work tree of the same repository')
    : l10n.t('Work tree of the same repository');
  return `${folder}\n${kind}`;
}
