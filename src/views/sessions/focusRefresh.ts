import * as vscode from 'vscode';
import { listedFolders } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import type { Workspace } from '../../model/ports';
import type { Sessions } from '../../model/session/sessions';
import type { TreeFolders } from './nodes/treeFolders';

/** Minimum time between two refreshes of the lists, in ms. */
const pause = 60_000;

/**
 * When the window gets the focus, refreshes the worktrees and the first pages of lists, to notice worktrees that were
 * added or removed, and open sessions that went on elsewhere. Starts no agent, and reads no list that hasn't been
 * loaded before.
 */
export function refreshOnFocus(
  agents: Pick<Agents, 'all'>,
  workspace: Pick<Workspace, 'folders'>,
  sessions: Pick<Sessions, 'all'>,
  worktrees: Pick<TreeFolders, 'refresh'>,
): vscode.Disposable {
  let last = performance.now();
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) {
      void worktrees.refresh();
    }
    if (!focused || performance.now() - last < pause) {
      return;
    }
    last = performance.now();
    const concerned = new Set(sessions.all.map(({ agent }) => agent.id));
    for (const agent of agents.all) {
      if (agent.state.kind === 'ready' && concerned.has(agent.id)) {
        for (const folder of listedFolders(agent, workspace.folders)) {
          const list = agent.lists.of(folder);
          if (list.state.kind === 'loaded' && list.more.kind !== 'loading') {
            void list.refresh();
          }
        }
      }
    }
  });
}
