import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from '../../../model/places/repository';
import { mapAtOnce } from '../../../util/async';
import { forgetPullRequest, pullRequestOf } from './pullRequests';
import { WorktreeTrouble } from './trouble';
import { inWorktree, isSameSide } from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** A file of a worktree with changes that aren't committed. */
export interface UncommittedFile {
  /** Relative to the top folder, with `/`. */
  readonly name: string;
  readonly kind: 'modified' | 'added' | 'deleted';
  /** Whether these bytes are nowhere else, as far as was looked. */
  readonly isLost: boolean;
}

/** A commit that no other branch or tag has. */
interface LostCommit {
  readonly id: string;
  readonly subject: string;
}

/** What would be lost with a worktree, and with its branch. */
export interface Losses {
  /** New ones too. */
  readonly uncommitted: readonly UncommittedFile[];
  /** Ignored files and folders, such as what was built; relative paths. */
  readonly ignored: readonly string[];
  /** Submodules are checked out in it; their commits are stored there. */
  readonly hasSubmodules: boolean;
  /** The branch; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  readonly commit: string | undefined;
  /** How many commits no other branch or tag has, here or at a remote. */
  readonly unmerged: number;
  /** The newest of them. */
  readonly unmergedCommits: readonly LostCommit[];
  /** Commits that no remote has, as far as is known here. */
  readonly unpushed: number;
  /** Why somebody has locked it, if it is locked. */
  readonly locked: string | undefined;
}

const maxCommits = 500;
/** Files that are compared with those elsewhere; more count as lost. */
const maxComparedFiles = 5_000;
const comparedAtOnce = 8;

/**
 * Looks at a linked worktree. What one of the other worktrees `elsewhere`, by their top folders, has in the same file
 * isn't lost. Rejects with `WorktreeTrouble`, also if a Git command is at work in it.
 */
export async function readLosses(
  git: WorktreeGit,
  place: Repository,
  elsewhere: readonly string[] = [],
): Promise<Losses> {
  const { top, directory } = place;
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
  const others = [...own, '--branches', '--tags', '--remotes'];
  const log = ['--format=%h %s', `--max-count=${maxCommits}`];
  const commits =
    commit === undefined ? '' : await here.text('log', '-z', ...log, commit, '--not', ...others);
  return {
    uncommitted: await mapAtOnce([...lines.entries()], comparedAtOnce, async ([index, line]) => {
      const name = line.slice(3);
      const isLost =
        index >= maxComparedFiles || isStaged(line) || !(await isElsewhere(top, name, elsewhere));
      return { name, kind: getKind(line), isLost };
    }),
    ignored: ignored.split('\0').slice(0, -1),
    hasSubmodules: modules.length > 0,
    branch,
    commit,
    unmerged: await count(...others),
    unmergedCommits: commits.split('\0').filter(Boolean).map(commitIn),
    unpushed: await count('--remotes'),
    locked: findLock(list, top),
  };
}

/** The kind of a file, by the two letters before its name: in the index, and on the disk. */
function getKind(line: string): UncommittedFile['kind'] {
  const [index = '', disk = ''] = line;
  return disk === 'D' || (index === 'D' && disk === ' ')
    ? 'deleted'
    : line.startsWith('??') || index === 'A'
      ? 'added'
      : 'modified';
}

/** The index has text of the file that the disk hasn't. */
function isStaged([index = ' ', disk = ' ']: string): boolean {
  return !' ?'.includes(index) && disk !== ' ';
}

function commitIn(text: string): LostCommit {
  const [id = '', ...subject] = text.split(' ');
  return { id, subject: subject.join(' ') };
}

async function isElsewhere(
  top: string,
  name: string,
  elsewhere: readonly string[],
): Promise<boolean> {
  const own = elsewhere.length === 0 ? undefined : await inWorktree({ top }, name);
  for (const other of elsewhere) {
    if (own !== undefined && isSameSide(own, await inWorktree({ top: other }, name))) {
      return true;
    }
  }
  return false;
}

/** Git itself would remove the folder of a command that is at work in it, such as a commit. */
async function mustRest(lock: string): Promise<void> {
  if ((await lstat(lock).catch(() => undefined)) !== undefined) {
    throw new WorktreeTrouble('locked', lock);
  }
}

function findLock(list: string, top: string): string | undefined {
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
  return uncommitted.some(({ isLost }) => isLost) || hasSubmodules || losesCommits;
}

export interface RemoveOptions {
  readonly withBranch: boolean;
  /** The folders in which the losses were looked for, too. */
  readonly elsewhere?: readonly string[];
}

/**
 * Removes the worktree, and its branch if that is wanted, if both are still as they were when they were looked at.
 * Rejects with `WorktreeTrouble`.
 */
export async function removeWorktree(
  git: WorktreeGit,
  place: Repository,
  losses: Losses,
  { withBranch, elsewhere = [] }: RemoveOptions,
): Promise<void> {
  const now = await readLosses(git, place, elsewhere);
  if (now.locked !== undefined) {
    throw new WorktreeTrouble('lockedWorktree', now.locked || place.top);
  }
  const told = new Map(losses.uncommitted.map(({ name, isLost }) => [name, isLost]));
  const isSame =
    now.commit === losses.commit &&
    now.branch === losses.branch &&
    now.hasSubmodules === losses.hasSubmodules &&
    now.uncommitted.every(({ name, isLost }) => told.has(name) && (told.get(name) || !isLost));
  if (!isSame) {
    throw new WorktreeTrouble('changedMeanwhile', place.top);
  }
  // Git itself refuses to remove changed files, and checked-out submodules.
  const force = now.uncommitted.length > 0 || now.hasSubmodules ? ['--force'] : [];
  const { common } = place;
  const pullRequest = await pullRequestOf(git.in(place.top));
  // Not from the folder that is removed.
  const outside = git.in(common);
  await outside.work('worktree', 'remove', ...force, '--', place.top);
  await forgetPullRequest(outside, common, pullRequest);
  if (withBranch && losses.branch !== undefined) {
    await outside.text('branch', '--quiet', '-D', '--', losses.branch);
  }
}
