import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { findRepository } from '../../../model/places/repository';
import { readOwnBranch, type Worktree } from '../../../model/places/worktrees';
import type { WorkspaceFolder } from '../../../model/ports';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { isSiblingOf, otherWorktrees } from '../model/siblings';
import { type WorktreeServices, withTrouble } from '../worktreeServices';
import { worktreeTarget } from '../worktreeTarget';
import { type Compared, ComparisonPage } from './comparisonPage';

/** Sessions that one can look at side by side. */
const maxCompared = 4;

/** "Compare Sessions of This Prompt": those of the worktrees that Ask Several Agents has made for one prompt. */
export function compareSessions(
  services: WorktreeServices,
  extensionUri: vscode.Uri,
  argument: unknown,
): Promise<ComparisonPage | undefined> {
  let page: ComparisonPage | undefined;
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    if (target === undefined) {
      return;
    }
    const { place } = target;
    const branch = await readOwnBranch(place);
    const others = await otherWorktrees(place, branch, services.realPath);
    const compared: Compared[] = [{ place, branch: branch ?? place.top }];
    for (const tree of others.filter(({ isSibling }) => isSibling).slice(0, maxCompared - 1)) {
      const other = await findRepository(tree.path, services.realPath);
      if (other !== undefined) {
        compared.push({ place: other, branch: tree.branch ?? other.top });
      }
    }
    if (compared.length === 1) {
      void showInformationMessage(
        l10n.t(
          'There is no other worktree of the same prompt. “Ask Several Agents…” makes one for each agent.',
        ),
      );
      return;
    }
    compared.sort((a, b) => (a.branch < b.branch ? -1 : 1));
    page = new ComparisonPage(services, extensionUri, compared);
  }).then(() => page);
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
