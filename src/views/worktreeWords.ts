import * as l10n from '@vscode/l10n';
import type { WorktreeState } from '../model/places/providedWorktreeStates';
import { cleanText } from '../model/text/titles';

const maxNameLength = 60;

/** The state of a worktree's branch in few signs: `↑2 ↓1 · 3 uncommitted`; empty if there is nothing to tell. */
export function worktreeMark({ ahead, behind, uncommitted, isMerged }: WorktreeState): string {
  const commits = [
    ...(ahead > 0 && !isMerged ? [`↑${ahead}`] : []),
    ...(behind > 0 && !isMerged ? [`↓${behind}`] : []),
  ];
  return [
    ...(commits.length > 0 ? [commits.join(' ')] : []),
    ...(isMerged ? [l10n.t('merged')] : []),
    ...(uncommitted > 0 ? [l10n.t('{0} uncommitted', uncommitted)] : []),
  ].join(' · ');
}

/** The same in sentences, one a line. */
export function worktreeLines(state: WorktreeState): readonly string[] {
  const { branch, ahead, behind, uncommitted, isMerged } = state;
  const base = cleanText(state.base ?? l10n.t('its base'), maxNameLength);
  return [
    branch === undefined
      ? l10n.t('Worktree on no branch')
      : l10n.t('Worktree on branch {0}', cleanText(branch, maxNameLength)),
    isMerged
      ? l10n.t('Merged: {0} has all that its commits changed', base)
      : l10n.t('Commits that {0} doesn’t have: {1}', base, ahead),
    ...(behind > 0 && !isMerged ? [l10n.t('New commits of {0}: {1}', base, behind)] : []),
    uncommitted > 0
      ? l10n.t('Files that aren’t committed: {0}', uncommitted)
      : l10n.t('Everything is committed'),
  ];
}
