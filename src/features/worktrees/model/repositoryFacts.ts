import path from 'node:path';
import { findRepository, type Repository } from '../../../model/places/repository';
import { readWorktrees } from '../../../model/places/worktrees';
import type { RealPath } from '../../../model/ports';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

export interface BranchFacts {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string;
  /** The name as people say it: `main`, `origin/main`. */
  readonly name: string;
  readonly commit: string;
  readonly isRemote: boolean;
  /** The worktree that has it. */
  readonly checkedOutIn: string | undefined;
}

/** What has to be known of a repository to make a worktree of it. */
export interface RepositoryFacts extends Repository {
  /** The main worktree; of a bare repository its git directory. */
  readonly main: string;
  /** Outside of every worktree that the repository is in, so that it is part of none. */
  readonly beside: string;
  /** `undefined` if nothing is committed on the current branch. */
  readonly head: { readonly branch: string | undefined; readonly commit: string } | undefined;
  /** Local and remote ones, the last changed first. */
  readonly branches: readonly BranchFacts[];
  readonly defaultBranch: BranchFacts | undefined;
  readonly hasRemotes: boolean;
}

const maxBranches = 5_000;
const maxOuterRepositories = 16;
const fields = ['refname', 'objectname', 'symref', 'worktreepath'];
const format = fields.map((field) => `%(${field})%00`).join('');

/** Rejects with `WorktreeTrouble` if no worktree can be made from this folder. */
export async function readRepository(
  folder: string,
  git: WorktreeGit,
  realPath: RealPath,
): Promise<RepositoryFacts> {
  const place = await git.disk(findRepository(folder, realPath), folder);
  if (place === undefined) {
    throw new WorktreeTrouble('noRepository');
  }
  const here = git.in(place.top);
  const [commit, ref, refs, remotes, configured] = await Promise.all([
    here.asked('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    here.asked('symbolic-ref', '--quiet', 'HEAD'),
    readRefs(here),
    here.text('remote'),
    here.asked('config', '--get', 'init.defaultBranch'),
  ]);
  if (commit === undefined && refs.branches.length === 0) {
    throw new WorktreeTrouble('noCommits');
  }
  const main = await git.disk(readMain(place, realPath), place.common);
  const branch = ref?.replace(/^refs\/heads\//, '');
  return {
    ...place,
    main,
    beside: await getDetailsBeside(main, git),
    head: commit === undefined ? undefined : { branch, commit },
    branches: refs.branches,
    defaultBranch: findDefault(refs, configured),
    hasRemotes: remotes.trim() !== '',
  };
}

interface Refs {
  readonly branches: readonly BranchFacts[];
  /** What the remotes take for their default, by the remote's `HEAD`. */
  readonly defaults: ReadonlyMap<string, string>;
}

async function readRefs(git: WorktreeGit): Promise<Refs> {
  const text = await git.text(
    'for-each-ref',
    `--format=${format}`,
    '--sort=-committerdate',
    `--count=${maxBranches}`,
    'refs/heads',
    'refs/remotes',
  );
  const values = text.split('\0');
  const branches: BranchFacts[] = [];
  const defaults = new Map<string, string>();
  for (let at = 0; at + fields.length < values.length; at += fields.length) {
    const [line = '', commit = '', symref = '', worktree = ''] = values.slice(at);
    const ref = line.replace(/^\n/, '');
    const isRemote = ref.startsWith('refs/remotes/');
    if (symref !== '' && isRemote) {
      defaults.set(ref, symref);
    } else {
      const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
      const checkedOutIn = worktree === '' ? undefined : path.normalize(worktree);
      branches.push({ ref, name, commit, isRemote, checkedOutIn });
    }
  }
  return { branches, defaults };
}

/** What `origin` takes for it, otherwise any remote, otherwise by its usual names. */
function findDefault(
  { branches, defaults }: Refs,
  configured: string | undefined,
): BranchFacts | undefined {
  const remote = defaults.get('refs/remotes/origin/HEAD') ?? [...defaults.values()][0];
  const wanted = [remote, ...[configured, 'main', 'master'].map((name) => `refs/heads/${name}`)];
  const [found] = wanted.flatMap((name) => branches.find(({ ref }) => ref === name) ?? []);
  return found;
}

async function readMain(place: Repository, realPath: RealPath): Promise<string> {
  if (place.directory === place.common) {
    return place.top;
  }
  const others = await readWorktrees(place.top, realPath);
  return others.find(({ isMain }) => isMain)?.path ?? place.common;
}

/** A submodule is inside of another repository, which must not get the worktree's files. */
async function getDetailsBeside(main: string, git: WorktreeGit): Promise<string> {
  let inner = main;
  for (let outer = 0; outer < maxOuterRepositories; outer++) {
    const around = await git.in(inner).printed('rev-parse', '--show-superproject-working-tree');
    if (!around) {
      break;
    }
    inner = path.normalize(around);
  }
  return path.dirname(inner);
}
