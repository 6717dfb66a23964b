import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { archiveTargets } from '../../commands/session/bulk/archiveSessions';
import { withViewProgress } from '../../commands/session/newSession';
import type { Repository } from '../../model/places/repository';
import { readOwnBranch } from '../../model/places/worktrees';
import { cleanText } from '../../model/text/titles';
import { worktreeMark } from '../../views/worktreeWords';
import type { BranchStates } from './branchStates';
import { commitWorktree } from './commitWorktree';
import { readBranchState } from './model/branchState';
import { openTerminal } from './openTerminal';
import { createPullRequest, pushWorktree } from './pushWorktree';
import { remove } from './removing';
import { gitFor, type WorktreeServices, withTrouble } from './worktreeServices';
import { titledSessions, type WorktreeTarget, worktreeTarget } from './worktreeTarget';

type Step = (services: WorktreeServices, place: Repository, name: string) => unknown;

/** What is left to do once the branch is merged. */
const lastSteps: readonly (vscode.QuickPickItem & { readonly step: Step })[] = [
  {
    label: l10n.t('$(archive) Archive Its Sessions'),
    description: l10n.t('the branch is merged'),
    step: async (services, { top }) => {
      const all = (await titledSessions(services, [top])).get(top) ?? [];
      await archiveTargets(
        services,
        all.filter(({ isArchived }) => !isArchived),
      );
    },
  },
  { label: l10n.t('$(trash) Remove Worktree…'), step: remove },
];

/** "Finish Worktree…": commit, push, pull request, or a terminal to do it by hand. */
export function finishWorktree(
  services: WorktreeServices,
  states: Pick<BranchStates, 'read'>,
  argument: unknown,
): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    if (target !== undefined) {
      try {
        await finishTarget(services, target);
      } finally {
        void states.read(target.folder);
      }
    }
  });
}

async function finishTarget(services: WorktreeServices, { place }: WorktreeTarget): Promise<void> {
  const name = cleanText((await readOwnBranch(place)) ?? path.basename(place.top), 100);
  const git = gitFor(new AbortController().signal);
  const state = await withViewProgress(() => readBranchState(git, place));
  const items: readonly (vscode.QuickPickItem & { readonly step: Step })[] = [
    ...(state.isMerged ? lastSteps : []),
    {
      label: l10n.t('$(git-commit) Commit…'),
      description: l10n.t('{0} uncommitted', state.uncommitted),
      step: commitWorktree,
    },
    {
      label: l10n.t('$(cloud-upload) Push…'),
      description: l10n.t('{0} commits', state.ahead),
      step: (...args) => pushWorktree(...args),
    },
    { label: l10n.t('$(git-pull-request) Create Pull Request…'), step: createPullRequest },
    { label: l10n.t('$(terminal) Open Terminal'), step: (_, { top }) => openTerminal(top, name) },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Finish Worktree “{0}”', name),
    placeHolder: worktreeMark(state) || l10n.t('Nothing has changed in it yet.'),
    ignoreFocusOut: true,
  });
  await picked?.step(services, place, name);
}
