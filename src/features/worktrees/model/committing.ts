import type { Repository } from '../../../model/places/repository';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** What of a worktree can be committed; names are relative to its top folder, with `/`. */
export interface Committable {
  /** Everything that isn't committed, new files too, but not ignored ones. */
  readonly all: readonly string[];
  /** What the index has; not all of it, perhaps, of each file. */
  readonly staged: readonly string[];
  /** Files with conflicts that have to be resolved first. */
  readonly conflicts: readonly string[];
}

const conflict = /^(?:DD|AU|UD|UA|DU|AA|UU)/;

/** Rejects with `WorktreeTrouble`. */
export async function readCommittable(git: WorktreeGit, { top }: Repository): Promise<Committable> {
  const text = await git
    .in(top)
    .text('status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames');
  const lines = text.split('\0').filter((line) => line.length > 3);
  const names = (some: readonly string[]): readonly string[] => some.map((line) => line.slice(3));
  return {
    all: names(lines),
    staged: names(lines.filter((line) => !/^[ ?]/.test(line))),
    conflicts: names(lines.filter((line) => conflict.test(line))),
  };
}

/**
 * Commits as `git commit` does in a terminal, with hooks: these files as they are now and what is staged already, or only
 * that. Rejects with `WorktreeTrouble`; what was staged for it then stays so.
 */
export async function commitChanges(
  git: WorktreeGit,
  { top }: Repository,
  message: string,
  files: readonly string[],
): Promise<void> {
  const here = git.in(top);
  if (message.trim() === '') {
    throw new WorktreeTrouble('failed', 'git commit: no message');
  }
  if (files.length > 0) {
    const list = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    await here.workWith(files.join('\0'), '--literal-pathspecs', 'add', '--all', ...list);
  }
  await here.work('commit', '--quiet', `--message=${message}`);
}
