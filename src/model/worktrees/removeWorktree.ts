import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from '../places/repository';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** What would be lost with a worktree, and with its branch. */
export interface Losses {
  /** Files with changes that aren't committed, new ones too; relative paths. */
  readonly uncommitted: readonly string[];
  /** Ignored files and folders, such as what was built; relative paths. */
  readonly ignored: readonly string[];
  /** Submodules are checked out in it; their commits are stored there. */
  readonly hasSubmodules: boolean;
  /** The branch; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  readonly commit: string | undefined;
  /** Commits that no other branch or tag has, here or at a remote. */
  readonly unmerged: number;
  /** Commits that no remote has, as far as is known here. */
  readonly unpushed: number;
  /** Why somebody has locked it, if it is locked. */
  readonly locked: string | undefined;
}

/** Looks at a linked worktree. Rejects with `WorktreeTrouble`, also if a Git command is at work in it. */
export async function readLosses(
  git: WorktreeGit,
  { top, directory }: Repository,
): Promise<Losses> {
  const here = git.in(top);
  await mustRest(path.join(directory, 'index.lock'));
  const [ref, commit, status, ignored, modules, list] = await Promise.all([
    here.asked('symbolic-ref', '--quiet', 'HEAD'),
    here.asked('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    here.text('status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'),
    // Whole folders, which have more files than anyone wants to read about.
    here.text('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'),
    readdir(path.join(directory, 'modules')).catch(() => []),
    here.text('worktree', 'list', '--porcelain'),
  ]);
  const lines = status.split('\0').filter((line) => line.length > 3);
  const branch = ref?.replace(/^refs\/heads\//, '');
  // For the `--branches` after it, without `refs/heads/`.
  const own = branch === undefined ? [] : [`--exclude=${branch}`];
  const count = async (...not: readonly string[]): Promise<number> =>
    commit === undefined
      ? 0
      : Number(await here.text('rev-list', '--count', commit, '--not', ...not));
  return {
    uncommitted: lines.map((line) => line.slice(3)),
    ignored: ignored.split('\0').slice(0, -1),
    hasSubmodules: modules.length > 0,
    branch,
    commit,
    unmerged: await count(...own, '--branches', '--tags', '--remotes'),
    unpushed: await count('--remotes'),
    locked: lockOf(list, top),
  };
}

/** Git itself would remove the folder of a command that is at work in it, such as a commit. */
async function mustRest(lock: string): Promise<void> {
  if ((await lstat(lock).catch(() => undefined)) !== undefined) {
    throw new WorktreeTrouble('locked', lock);
  }
}

function lockOf(list: string, top: string): string | undefined {
  const entry = list
    .split('\n\n')
    .find((text) => path.normalize(text.split('\n', 1)[0]?.slice(9) ?? '') === top);
  const locked = /^locked(?: (?<why>.*))?$/m.exec(entry ?? '');
  return locked === null ? undefined : (locked.groups?.['why'] ?? '');
}

/** Whether anything is lost that can't be had again. */
export function isLossy(
  { uncommitted, hasSubmodules, branch, unmerged }: Losses,
  withBranch: boolean,
): boolean {
  // Without a branch, nothing leads to its commits any more.
  const losesCommits = unmerged > 0 && (withBranch || branch === undefined);
  return uncommitted.length > 0 || hasSubmodules || losesCommits;
}

/**
 * Removes the worktree, and its branch if that is wanted, if both are still as they were when they were looked at.
 * Rejects with `WorktreeTrouble`.
 */
export async function removeWorktree(
  git: WorktreeGit,
  place: Repository,
  losses: Losses,
  withBranch: boolean,
): Promise<void> {
  const now = await readLosses(git, place);
  if (now.locked !== undefined) {
    throw new WorktreeTrouble('lockedWorktree', now.locked || place.top);
  }
  const isSame =
    now.commit === losses.commit &&
    now.branch === losses.branch &&
    now.hasSubmodules === losses.hasSubmodules &&
    now.uncommitted.every((file) => losses.uncommitted.includes(file));
  if (!isSame) {
    throw new WorktreeTrouble('changedMeanwhile', place.top);
  }
  // Git itself refuses to remove changed files, and checked-out submodules.
  const force = isLossy(losses, false) ? ['--force'] : [];
  const { common } = place;
  // Not from the folder that is removed.
  const outside = git.in(common);
  await outside.work('worktree', 'remove', ...force, '--', place.top);
  if (withBranch && losses.branch !== undefined) {
    await outside.text('branch', '--quiet', '-D', '--', losses.branch);
  }
}
