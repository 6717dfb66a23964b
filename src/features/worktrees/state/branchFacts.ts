import type { WorktreeState } from '../../../model/places/providedWorktreeStates';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { worktreeLines, worktreeMark } from '../../../views/worktreeWords';

/** What the header of a session says of its worktree's branch, besides its name. */
export function branchFacts(state: WorktreeState | undefined): readonly HeaderFact[] {
  const text = state === undefined ? '' : worktreeMark(state);
  return state === undefined || text === ''
    ? []
    : [
        {
          icon: state.isMerged ? 'git-merge' : 'git-branch',
          text,
          title: worktreeLines(state).join('\n'),
          opens: 'branch',
        },
      ];
}
