import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { isSiblingOf, type Neighborhood } from '../model/siblings';
import type { WorktreeServices } from '../worktreeServices';
import { ComparisonPage } from './comparisonPage';

/** Sessions that one can look at side by side. */
const maxCompared = 4;

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
  return new ComparisonPage(services, extensionUri, compared);
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
