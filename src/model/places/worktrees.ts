import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { comparablePath } from '../files/paths';
import { isInside } from '../files/roots';
import type { RealPath } from '../ports';
import {
  findGitDirectory,
  findRepository,
  isSame,
  lookUp,
  type Repository,
  readText,
} from './repository';

/** A worktree of a repository, other than the one that was asked about. */
export interface Worktree {
  /**
   * The counterpart of the folder that was asked about; the top folder if it has none. A real path.
   */
  readonly path: string;
  /** The branch that is checked out; absent on a detached HEAD, or if it can't be read. */
  readonly branch: string | undefined;
  /** Whether this is the repository's main worktree. */
  readonly isMain: boolean;
}

const maxWorktrees = 100;

/**
 * The other worktrees of a folder's repository, the main one first, each once; empty if the folder
 * isn't in a repository. Reads git's files and starts no process. Anyone may have written these
 * files, so a worktree only counts if it points back. Never rejects.
 */
export async function readWorktrees(
  folder: string,
  realPath: RealPath,
): Promise<readonly Worktree[]> {
  const place = await findRepository(folder, realPath);
  if (place === undefined) {
    return [];
  }
  const found = new Map<string, Worktree>();
  for (const tree of [
    await readMainWorktree(place, realPath),
    ...(await readLinkedWorktrees(place, realPath)),
  ]) {
    if (tree !== undefined && !isSame(tree.path, place.top)) {
      const counterpart = await realPath(path.join(tree.path, place.below));
      const isIn = counterpart !== undefined && isInside(counterpart, [tree.path]);
      const at = isIn ? counterpart : tree.path;
      found.set(comparablePath(at), { ...tree, path: at });
    }
  }
  return [...found.values()];
}

/** The first of these folders that this one is a worktree of, under its path; the folder itself if none is. */
export async function findOrigin(
  folder: string,
  origins: readonly string[],
  realPath: RealPath,
): Promise<string> {
  if (origins.length === 0 || isInside(folder, origins)) {
    return folder;
  }
  const trees = new Set(
    (await readWorktrees(folder, realPath)).map((tree) => comparablePath(tree.path)),
  );
  return origins.find((origin) => trees.has(comparablePath(origin))) ?? folder;
}

/** A bare repository has none; a submodule's configuration holds its location. */
async function readMainWorktree(
  { common }: Repository,
  realPath: RealPath,
): Promise<Worktree | undefined> {
  const config = readCoreSettings((await readText(path.join(common, 'config'))) ?? '');
  const place =
    config.worktree ??
    (path.basename(common) === '.git' && !config.bare ? path.dirname(common) : undefined);
  const top = place === undefined ? undefined : await lookUp(path.resolve(common, place), realPath);
  const own = top === undefined ? undefined : await findGitDirectory(top, realPath);
  return top !== undefined && own !== undefined && isSame(own, common)
    ? { path: top, branch: await branchIn(common), isMain: true }
    : undefined;
}

async function readLinkedWorktrees(
  { common }: Repository,
  realPath: RealPath,
): Promise<readonly Worktree[]> {
  const found: Worktree[] = [];
  const parent = path.join(common, 'worktrees');
  for (const name of (await namesIn(parent)).slice(0, maxWorktrees)) {
    const directory = await lookUp(path.join(parent, name), realPath);
    const dotGit = directory && (await readText(path.join(directory, 'gitdir')))?.trim();
    if (directory !== undefined && dotGit) {
      const top = await lookUp(path.dirname(path.resolve(directory, dotGit)), realPath);
      const own = top === undefined ? undefined : await findGitDirectory(top, realPath);
      if (top !== undefined && own !== undefined && isSame(own, directory)) {
        found.push({ path: top, branch: await branchIn(directory), isMain: false });
      }
    }
  }
  return found;
}

/** The branch of a worktree; `undefined` on a detached HEAD. */
export function readOwnBranch({
  directory,
}: Pick<Repository, 'directory'>): Promise<string | undefined> {
  return branchIn(directory);
}

/** The worktree itself in which a folder is, under that folder's path; `undefined` outside of repositories. */
export async function readOwnWorktree(
  folder: string,
  realPath: RealPath,
): Promise<Worktree | undefined> {
  const place = await findRepository(folder, realPath);
  return (
    place && {
      path: folder,
      branch: await branchIn(place.directory),
      isMain: place.directory === place.common,
    }
  );
}

async function branchIn(directory: string): Promise<string | undefined> {
  const head = (await readText(path.join(directory, 'HEAD')))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/u.exec(head)?.[1];
  // Git's placeholder if branches aren't stored as files.
  return branch === '.invalid' ? undefined : branch;
}

/** `core.worktree` and `core.bare` of a repository's configuration. */
function readCoreSettings(config: string): { worktree: string | undefined; bare: boolean } {
  let section = '';
  let worktree: string | undefined;
  let bare = false;
  for (const line of config.split(/\r?\n/u)) {
    section = /^\s*\[([^\]]*)\]/u.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key, value = ''] = /^\s*(\w+)\s*=(.*)$/u.exec(line) ?? [];
    if (section === 'core' && key?.toLowerCase() === 'worktree' && value.trim() !== '') {
      worktree = value.trim().replace(/^"(.*)"$/u, '$1');
    }
    if (section === 'core' && key?.toLowerCase() === 'bare') {
      bare = /^(?:true|yes|on|1)$/iu.test(value.trim());
    }
  }
  return { worktree, bare };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch {
    return [];
  }
}
