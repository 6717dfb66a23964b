import { mkdir, readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Base, baseRef } from './base';
import { removeEmpty } from './emptyFolders';
import { fetchPullRequest, forgetPullRequest } from './pullRequests';
import type { RepositoryFacts } from './repositoryFacts';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

export interface NewWorktree {
  readonly branch: string;
  /** `undefined`: the branch exists. */
  readonly base: Base | undefined;
  /** The worktree's top folder, which must not exist or be empty. */
  readonly folder: string;
}

/** Names of files that Windows doesn't allow, or that mean something else. */
const unsafe = /[\\/:*?"<>|\s]+|^\.+|[. ]+$/gu;

/**
 * The folder for the worktree of a branch: in the folder of the setting, otherwise beside the repository.
 * `setting`: absolute, from the home folder (`~/`), or relative to the main worktree.
 */
export function worktreeFolder(
  { main, beside }: Pick<RepositoryFacts, 'main' | 'beside'>,
  branch: string,
  setting: string,
): string {
  const name = branch.replace(unsafe, '-');
  const repository = path.basename(main).replace(/\.git$/, '') || 'repository';
  if (setting.trim() === '') {
    return path.join(beside, `${repository}.worktrees`, name);
  }
  const chosen = setting.trim().replace(/^~(?=[/\\]|$)/, () => os.homedir());
  return path.join(path.resolve(main, chosen), repository, name);
}

/** Whether a worktree can be made there. */
export async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * Makes the worktree, with its branch unless that exists. Returns the counterpart of the folder that it was asked for
 * in. Rejects with `WorktreeTrouble`, with nothing left behind.
 */
export async function addWorktree(
  git: WorktreeGit,
  facts: RepositoryFacts,
  wanted: NewWorktree,
): Promise<string> {
  if (wanted.base?.fetched === undefined) {
    return add(git, facts, wanted);
  }
  // The user's path of hooks may lead to those that the pull request brings along.
  const safe = git.withoutHooks();
  try {
    const base = await fetchPullRequest(safe.in(facts.top), wanted.base);
    return await add(safe, facts, { ...wanted, base });
  } catch (error) {
    const kept = safe.in(facts.common, new AbortController().signal);
    await forgetPullRequest(kept, facts.common, wanted.base.ref);
    throw error;
  }
}

async function add(git: WorktreeGit, facts: RepositoryFacts, wanted: NewWorktree): Promise<string> {
  const { folder, branch, base } = wanted;
  if (!(await git.disk(isFree(folder), folder))) {
    throw new WorktreeTrouble('folderExists', folder);
  }
  const here = git.in(facts.top);
  if (await isRegistered(here, folder)) {
    throw new WorktreeTrouble('registered', folder);
  }
  const parent = path.dirname(folder);
  const made = await mkdir(parent, { recursive: true }).catch((error: unknown) => {
    throw new WorktreeTrouble('failed', String(error));
  });
  try {
    // Full names and ids where something else could have the name; no name can be taken for an option.
    await (base === undefined
      ? here.work('worktree', 'add', '--quiet', '--', folder, branch)
      : here.work(
          'worktree',
          'add',
          '--quiet',
          '--no-track',
          '-b',
          branch,
          '--',
          folder,
          base.commit,
        ));
    if (base !== undefined) {
      await noteBase(git.in(folder), base);
      await keepBase(here, base);
    }
  } catch (error) {
    // The user has canceled, perhaps, but this has to be done.
    await cleanUp(git.in(facts.top, new AbortController().signal), wanted, error);
    if (made !== undefined) {
      await removeEmpty(parent, made);
    }
    throw error;
  }
  return counterpart(folder, facts.below);
}

/** A worktree that is missing may be on a disk that isn't there at present. */
async function isRegistered(git: WorktreeGit, folder: string): Promise<boolean> {
  const list = await git.text('worktree', 'list', '--porcelain');
  return list
    .split('\n')
    .some((line) => line.startsWith('worktree ') && path.normalize(line.slice(9)) === folder);
}

function noteBase(git: WorktreeGit, { ref, commit }: Base): Promise<string> {
  return ref === undefined
    ? git.text('update-ref', baseRef, commit)
    : git.text('symbolic-ref', baseRef, ref);
}

/** Whoever has removed another worktree of the same pull request meanwhile has taken its ref for one that nothing needs. */
async function keepBase(git: WorktreeGit, { fetched, ref, commit }: Base): Promise<void> {
  const isGone =
    fetched !== undefined &&
    ref !== undefined &&
    (await git.printed('rev-parse', '--verify', '--quiet', ref)) === undefined;
  await (isGone && git.text('update-ref', ref, commit));
}

/** Git cleans up what it hasn't completed, unless it was killed, but leaves the branch that it made before. */
async function cleanUp(git: WorktreeGit, wanted: NewWorktree, error: unknown): Promise<void> {
  const isOurs =
    error instanceof WorktreeTrouble &&
    ['cancelled', 'timeout', 'locked', 'failed'].includes(error.problem);
  if (isOurs) {
    await discardWorktree(git, wanted);
  }
}

/** Removes a worktree that was just made, with all that is in it, and its new branch. Rejects only without git. */
export async function discardWorktree(
  git: WorktreeGit,
  { folder, branch, base }: NewWorktree,
): Promise<void> {
  await git.printed('worktree', 'remove', '--force', '--force', '--', folder);
  if (base !== undefined) {
    // Only if nobody has committed to it: it is still where it began.
    await git.printed('update-ref', '-d', `refs/heads/${branch}`, base.commit);
  }
}

/** A session of a folder in the repository works in the same folder of the worktree, if that is there. */
async function counterpart(top: string, below: string): Promise<string> {
  const folder = path.join(top, below);
  try {
    return (await stat(folder)).isDirectory() ? folder : top;
  } catch {
    return top;
  }
}
