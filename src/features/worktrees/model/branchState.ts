import type { WorktreeState } from '../../../model/places/providedWorktreeStates';
import type { Repository } from '../../../model/places/repository';
import { baseRef, mainHead } from './base';
import { pullRequestName } from './pullRequests';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** Entries of a branch's log that are looked through for commits. */
const maxLogEntries = 1_000;
/** What the log of a branch says of commits that were made on it. */
const ownCommit = /^(?:commit|cherry-pick|am)\b/;

/**
 * How far a linked worktree's branch is. Nobody asks for it, so it runs nothing that the repository configures: no
 * filters, hooks or monitors. Rejects with `WorktreeTrouble`.
 */
export async function readBranchState(
  git: WorktreeGit,
  { top }: Pick<Repository, 'top'>,
): Promise<WorktreeState> {
  const here = git.in(top);
  const { branch, uncommitted } = await readStatus(here);
  const base = await findBase(here);
  const log = branch === undefined ? '' : await readLog(here, branch);
  const state = { branch, base: base?.name, uncommitted };
  if (base === undefined) {
    return { ...state, ahead: 0, behind: 0, isMerged: false };
  }
  const range = `${base.commit}...HEAD`;
  const counts = await here.text('rev-list', '--left-right', '--count', range);
  const [behind = 0, ahead = 0] = counts.trim().split('\t').map(Number);
  const hadCommits = log.split('\n').some((line) => ownCommit.test(line));
  const merged = hadCommits && (await isMerged(here, base, ahead));
  return { ...state, ahead, behind, isMerged: merged };
}

/** The branch that a worktree's own can be merged into; `undefined` if it began elsewhere. */
export async function readBaseBranch(
  git: WorktreeGit,
  { top }: Pick<Repository, 'top'>,
): Promise<string | undefined> {
  const base = await findBase(git.in(top));
  return base?.ref === undefined ? undefined : base.name;
}

async function readStatus(
  git: WorktreeGit,
): Promise<{ readonly branch: string | undefined; readonly uncommitted: number }> {
  const config = await withoutFilters(git);
  const options = ['--branch', '--untracked-files=normal', '--ignore-submodules=all'];
  const format = ['--porcelain=v2', '-z', '--no-renames'];
  const text = await git.text(...config, 'status', ...format, ...options);
  const entries = text.split('\0').slice(0, -1);
  const head = entries.find((entry) => entry.startsWith('# branch.head '))?.slice(14);
  return {
    branch: head === '(detached)' ? undefined : head,
    uncommitted: entries.filter((entry) => !entry.startsWith('#')).length,
  };
}

/** Options that turn off the programs that the configuration has for the content of files. */
async function withoutFilters(git: WorktreeGit): Promise<readonly string[]> {
  const names =
    (await git.asked(
      'config',
      '--name-only',
      '-z',
      '--get-regexp',
      '^filter\\..*\\.(clean|smudge|process|required)$',
    )) ?? '';
  const all = [...new Set(names.split('\0').filter(Boolean))];
  if (all.some((name) => /[=\n]/.test(name))) {
    throw new WorktreeTrouble('failed', 'a filter whose name has a “=”');
  }
  return all.flatMap((name) => ['-c', `${name}=${name.endsWith('.required') ? 'false' : ''}`]);
}

interface FoundBase {
  readonly commit: string;
  /** The full name of its branch. */
  readonly ref: string | undefined;
  /** As people say it, also of a pull request. */
  readonly name: string | undefined;
}

async function findBase(git: WorktreeGit): Promise<FoundBase | undefined> {
  for (const ref of [baseRef, mainHead]) {
    const commit = await git.asked('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
    if (commit !== undefined) {
      const full = await git.printed('rev-parse', '--symbolic-full-name', ref);
      const branch = full?.startsWith('refs/heads/') || full?.startsWith('refs/remotes/');
      return {
        commit,
        ref: branch ? full : undefined,
        name: branch
          ? full?.replace(/^refs\/(?:heads|remotes)\//, '')
          : full && pullRequestName(full),
      };
    }
  }
  return undefined;
}

/** What was done with the branch, by its log, one line each. */
async function readLog(git: WorktreeGit, branch: string): Promise<string> {
  const options = ['--walk-reflogs', '--format=%gs', '--no-show-signature'];
  return (
    (await git.printed(
      'log',
      ...options,
      `--max-count=${maxLogEntries}`,
      `refs/heads/${branch}`,
    )) ?? ''
  );
}

async function isMerged(git: WorktreeGit, base: FoundBase, ahead: number): Promise<boolean> {
  if (ahead === 0) {
    return true;
  }
  const remote =
    base.ref && (await git.printed('for-each-ref', '--format=%(upstream)', '--', base.ref));
  const upstream =
    remote && (await git.asked('rev-parse', '--verify', '--quiet', `${remote}^{commit}`));
  for (const commit of [base.commit, ...(upstream ? [upstream] : [])]) {
    if (await hasAll(git, commit)) {
      return true;
    }
  }
  return false;
}

/** Whether a commit has each file as the branch has left it: also after a merge that made one commit of several. */
async function hasAll(git: WorktreeGit, commit: string): Promise<boolean> {
  const common = await git.printed('merge-base', 'HEAD', commit);
  if (common === undefined) {
    return false;
  }
  const names = async (from: string): Promise<readonly string[]> =>
    (await git.text('diff-tree', '-r', '-z', '--no-renames', '--name-only', from, 'HEAD'))
      .split('\0')
      .slice(0, -1);
  const changed = await names(common);
  const differing = new Set(await names(commit));
  return changed.every((name) => !differing.has(name));
}
