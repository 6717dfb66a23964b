import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { archiveTargets } from '../../../commands/session/bulk/archiveSessions';
import { withViewProgress } from '../../../commands/session/newSession';
import type { WorktreeState } from '../../../model/places/providedWorktreeStates';
import { worktreeMark } from '../../../views/worktreeWords';
import { applyHunks } from '../applying/applyHunks';
import { applyToWorkspace } from '../applying/applyToWorkspace';
import { compareTree, type OpenPage } from '../comparison/compareWorktree';
import { readBranchState } from '../model/branchState';
import { openTerminal } from '../openTerminal';
import { openInNewWindow } from '../openWorktree';
import { remove } from '../removing/removing';
import type { BranchStates } from '../state/branchStates';
import { gitFor, type WorktreeServices, withTrouble } from '../worktreeServices';
import {
  titledSessions,
  type WorktreeTarget,
  worktreeName,
  worktreeTarget,
} from '../worktreeTarget';
import { commitWorktree } from './commitWorktree';
import { createPullRequest, pushWorktree } from './pushWorktree';

interface Finishing {
  readonly states: Pick<BranchStates, 'read'>;
  readonly openPage: OpenPage;
}

interface Step extends vscode.QuickPickItem {
  readonly take: () => unknown;
}

/** "Finish Worktree…": commit, push, pull request, or what else becomes of it, as far as there is something to do. */
export function finishWorktree(
  services: WorktreeServices,
  finishing: Finishing,
  argument: unknown,
): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    if (target !== undefined) {
      try {
        await finishTarget(services, finishing, target);
      } finally {
        void finishing.states.read(target.folder);
      }
    }
  });
}

async function finishTarget(
  services: WorktreeServices,
  { openPage }: Finishing,
  target: WorktreeTarget,
): Promise<void> {
  const { place } = target;
  const name = await worktreeName(place);
  const git = gitFor(new AbortController().signal);
  const state = await withViewProgress(() => readBranchState(git, place));
  const steps = [
    ...branchSteps(services, target, name, state),
    {
      label: l10n.t('$(git-compare) Compare…'),
      take: () => compareTree(services, place, openPage),
    },
    {
      label: l10n.t('$(empty-window) Open in New Window'),
      take: () => openInNewWindow(target.folder),
    },
    { label: l10n.t('$(terminal) Open Terminal'), take: () => openTerminal(place.top, name) },
    { label: l10n.t('$(trash) Remove Worktree…'), take: () => remove(services, place) },
  ];
  const picked = await vscode.window.showQuickPick<Step>(steps, {
    title: l10n.t('Finish Worktree “{0}”', name),
    placeHolder: worktreeMark(state) || l10n.t('Nothing has changed in it yet.'),
    ignoreFocusOut: true,
  });
  await picked?.take();
}

/** What the state of its branch leaves to do, the next step first. */
function branchSteps(
  services: WorktreeServices,
  target: WorktreeTarget,
  name: string,
  { isMerged, uncommitted, ahead }: WorktreeState,
): readonly Step[] {
  const { place } = target;
  const hasCommits = ahead > 0 && !isMerged;
  const archive: Step = {
    label: l10n.t('$(archive) Archive Its Sessions'),
    description: l10n.t('the branch is merged'),
    take: () => archiveSessions(services, place.top),
  };
  const commit: Step = {
    label: l10n.t('$(git-commit) Commit…'),
    description: l10n.t('{0} uncommitted', uncommitted),
    take: () => commitWorktree(services, place, name),
  };
  const push: Step = {
    label: l10n.t('$(cloud-upload) Push…'),
    description: ahead === 1 ? l10n.t('1 commit') : l10n.t('{0} commits', ahead),
    take: () => pushWorktree(services, place, name),
  };
  const pullRequest: Step = {
    label: l10n.t('$(git-pull-request) Create Pull Request…'),
    take: () => createPullRequest(services, place, name),
  };
  const apply: Step = {
    label: l10n.t('$(check) Apply to Workspace…'),
    take: () => applyToWorkspace(services, target),
  };
  const hunks: Step = {
    label: l10n.t('$(list-selection) Apply Hunks…'),
    take: () => applyHunks(services, place),
  };
  return [
    ...(isMerged ? [archive] : []),
    ...(uncommitted > 0 ? [commit] : []),
    ...(hasCommits ? [push, pullRequest] : []),
    ...(hasCommits || uncommitted > 0 ? [apply, hunks] : []),
  ];
}

async function archiveSessions(services: WorktreeServices, top: string): Promise<void> {
  const all = (await titledSessions(services, [top])).get(top) ?? [];
  await archiveTargets(
    services,
    all.filter(({ isArchived }) => !isArchived),
  );
}
