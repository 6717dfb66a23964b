import type { Repository } from '../../../model/places/repository';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** The point at which the branch of a worktree begins. */
export interface Base {
  readonly commit: string;
  /** The full name of the branch that it is on, which may be continued; `undefined` on a detached HEAD. */
  readonly ref: string | undefined;
  /** Where it is fetched from when a worktree is made: a remote, and the full name there of what `ref` becomes. */
  readonly fetched?: { readonly remote: string; readonly ref: string };
}

/**
 * A ref of the worktree's own, which git deletes with it and which keeps the commit: it points to the branch that the
 * worktree began with, or to the commit if there was none.
 */
export const baseRef = 'refs/worktree/acp-sessions/base';

/** What the base is of a worktree that was made elsewhere, or whose base branch is gone. */
export const mainHead = 'main-worktree/HEAD';

/**
 * Where the worktree's branch began: what its base branch and it have in common, also if both have gone on. Rejects with
 * `WorktreeTrouble`.
 */
export function getBase(git: WorktreeGit, place: Repository): Promise<string> {
  return commonWith(git, place, [baseRef, mainHead]);
}

/** What `HEAD` and the first of these that it has anything in common with have in common. */
export async function commonWith(
  git: WorktreeGit,
  { top }: Repository,
  refs: readonly string[],
): Promise<string> {
  for (const ref of refs) {
    const base = await git.in(top).printed('merge-base', 'HEAD', ref);
    if (base !== undefined) {
      return base;
    }
  }
  throw new WorktreeTrouble('noBase');
}
