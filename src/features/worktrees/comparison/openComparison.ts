import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findRepository } from '../../../model/places/repository';
import { readOwnBranch, type Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import { viewIds } from '../../../platform/ids';
import { showInformationMessage } from '../../../platform/ui/messages';
import { maxCompared, parseKeptComparison } from '../../../shared/comparison/comparison';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { isSiblingOf, type Neighborhood } from '../model/siblings';
import type { WorktreeServices } from '../worktreeServices';
import { ComparisonPage } from './comparisonPage';

/** The page that compares the sessions of one prompt: of this worktree and of those that were made with it. */
export function openComparison(
  services: WorktreeServices,
  extensionUri: vscode.Uri,
  { place, branch, others }: Neighborhood,
): ComparisonPage | undefined {
  const siblings = others.filter(({ isSibling }) => isSibling).slice(0, maxCompared - 1);
  if (siblings.length === 0) {
    void showInformationMessage(
      l10n.t(
        'There is no other worktree of the same prompt. The page of a new session can ask several agents, each in its own.',
      ),
    );
    return undefined;
  }
  const compared = [{ place, branch }, ...siblings].map((tree) => ({
    place: tree.place,
    branch: tree.branch ?? tree.place.top,
  }));
  compared.sort((a, b) => (a.branch < b.branch ? -1 : 1));
  const panel = vscode.window.createWebviewPanel(
    viewIds.comparison,
    l10n.t('Comparison of Sessions'),
    vscode.ViewColumn.Active,
  );
  return new ComparisonPage(services, extensionUri, panel, compared);
}

/**
 * The page again in a tab that VS Code has restored, of the worktrees of the window's repositories that are still there;
 * without any, the tab is closed.
 */
export async function restoreComparison(
  services: WorktreeServices,
  extensionUri: vscode.Uri,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<ComparisonPage | undefined> {
  await services.worktrees.refresh();
  const places = await Promise.all(
    parseKeptComparison(state).map((top) => findRepository(top, services.realPath)),
  );
  const compared = await Promise.all(
    places
      .filter((place) => place !== undefined)
      .filter(({ top }) => services.worktrees.at(top) !== undefined)
      .map(async (place) => ({ place, branch: (await readOwnBranch(place)) ?? place.top })),
  );
  if (compared.length === 0) {
    panel.dispose();
    return undefined;
  }
  return new ComparisonPage(services, extensionUri, panel, compared);
}

/** What the header of a session says that has others of the same prompt. */
export function comparisonFacts(
  {
    workspace,
    worktrees,
  }: Pick<WorktreeServices, 'worktrees'> & {
    readonly workspace: { readonly folders: readonly WorkspaceFolder[] };
  },
  cwd: string,
): readonly HeaderFact[] {
  const own = worktrees.at(cwd);
  const all: readonly Worktree[] = own
    ? workspace.folders.flatMap((one) => worktrees.below(one))
    : [];
  const others = all.filter(
    ({ path, branch }) => path !== own?.path && isSiblingOf(branch, own?.branch),
  ).length;
  if (others === 0) {
    return [];
  }
  const text =
    others === 1 ? l10n.t('Compare with 1 other') : l10n.t('Compare with {0} others', others);
  const title = l10n.t('The sessions of the same prompt, side by side');
  return [{ icon: 'git-compare', text, title, opens: 'comparison' }];
}
