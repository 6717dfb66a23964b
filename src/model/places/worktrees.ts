import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { comparablePath, mayResolve } from '../files/paths';
import { readBeginning } from '../files/regularFile';
import { isInside } from '../files/roots';
import type { RealPath } from '../ports';

/** A work tree of a repository besides the one that was asked about. */
export interface Worktree {
  /** The folder in it that answers to the one asked about; its top where it has none such. Real. */
  readonly path: string;
  /** The checked out branch; absent when a commit is, or when that can't be read. */
  readonly branch: string | undefined;
  /** The one that the repository was made with. */
  readonly isMain: boolean;
}

/** Where a folder stands in its repository. */
interface Place {
  /** The top of its work tree. */
  readonly top: string;
  /** The way from there to the folder. */
  readonly below: string;
  /** What all work trees of the repository share. */
  readonly common: string;
}

const mostParents = 64;
const mostWorktrees = 100;
/** Longer files of a repository are not what they seem to be. */
const longestFile = 65_536;

/**
 * The other work trees of a folder's repository, the main one first, each once; none when the folder
 * belongs to no repository. Reads git's own files and starts nothing. What is in them is anybody's word:
 * a work tree counts only when it points back. Never rejects.
 */
export async function readWorktrees(
  folder: string,
  realPath: RealPath,
): Promise<readonly Worktree[]> {
  const place = await placeOf(folder, realPath);
  if (place === undefined) {
    return [];
  }
  const found = new Map<string, Worktree>();
  for (const tree of [await mainOf(place, realPath), ...(await linkedOf(place, realPath))]) {
    if (tree !== undefined && !isSame(tree.path, place.top)) {
      const counterpart = await realPath(path.join(tree.path, place.below));
      const isIn = counterpart !== undefined && isInside(counterpart, [tree.path]);
      const at = isIn ? counterpart : tree.path;
      found.set(comparablePath(at), { ...tree, path: at });
    }
  }
  return [...found.values()];
}

async function placeOf(folder: string, realPath: RealPath): Promise<Place | undefined> {
  const real = await lookUp(folder, realPath);
  if (real === undefined) {
    return undefined;
  }
  let top = real;
  for (let parents = 0; parents < mostParents; parents++) {
    const directory = await gitDirectoryOf(top, realPath);
    if (directory !== undefined) {
      const common = await commonOf(directory, realPath);
      return { top, below: path.relative(top, real), common };
    }
    const parent = path.dirname(top);
    if (parent === top) {
      return undefined;
    }
    top = parent;
  }
  return undefined;
}

/** `.git` of a folder: itself, or what the file of that name points to (linked work trees, submodules). */
async function gitDirectoryOf(top: string, realPath: RealPath): Promise<string | undefined> {
  const dotGit = path.join(top, '.git');
  const pointer = await pointerIn(dotGit);
  const directory = await lookUp(
    pointer === undefined ? dotGit : path.resolve(top, pointer),
    realPath,
  );
  const isRepository = directory !== undefined && (await readText(path.join(directory, 'HEAD')));
  return typeof isRepository === 'string' ? directory : undefined;
}

async function pointerIn(dotGit: string): Promise<string | undefined> {
  const text = await readText(dotGit);
  return text === undefined ? undefined : /^gitdir: *(\S[^\r\n]*)/u.exec(text)?.[1]?.trimEnd();
}

async function commonOf(directory: string, realPath: RealPath): Promise<string> {
  const text = (await readText(path.join(directory, 'commondir')))?.trim();
  const common = text ? await lookUp(path.resolve(directory, text), realPath) : undefined;
  return common ?? directory;
}

/** A bare repository has none; that of a submodule says in its configuration where it is. */
async function mainOf({ common }: Place, realPath: RealPath): Promise<Worktree | undefined> {
  const config = coreOf((await readText(path.join(common, 'config'))) ?? '');
  const place =
    config.worktree ??
    (path.basename(common) === '.git' && !config.bare ? path.dirname(common) : undefined);
  const top = place === undefined ? undefined : await lookUp(path.resolve(common, place), realPath);
  const own = top === undefined ? undefined : await gitDirectoryOf(top, realPath);
  return top !== undefined && own !== undefined && isSame(own, common)
    ? { path: top, branch: await branchIn(common), isMain: true }
    : undefined;
}

async function linkedOf({ common }: Place, realPath: RealPath): Promise<readonly Worktree[]> {
  const found: Worktree[] = [];
  const parent = path.join(common, 'worktrees');
  for (const name of (await namesIn(parent)).slice(0, mostWorktrees)) {
    const directory = await lookUp(path.join(parent, name), realPath);
    const dotGit = directory && (await readText(path.join(directory, 'gitdir')))?.trim();
    if (directory !== undefined && dotGit) {
      const top = await lookUp(path.dirname(path.resolve(directory, dotGit)), realPath);
      const own = top === undefined ? undefined : await gitDirectoryOf(top, realPath);
      if (top !== undefined && own !== undefined && isSame(own, directory)) {
        found.push({ path: top, branch: await branchIn(directory), isMain: false });
      }
    }
  }
  return found;
}

async function branchIn(directory: string): Promise<string | undefined> {
  const head = (await readText(path.join(directory, 'HEAD')))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/u.exec(head)?.[1];
  // Git's placeholder where branches are kept in another way than as files.
  return branch === '.invalid' ? undefined : branch;
}

/** `core.worktree` and `core.bare` of a repository's configuration. */
function coreOf(config: string): { worktree: string | undefined; bare: boolean } {
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

function lookUp(file: string, realPath: RealPath): Promise<string | undefined> {
  return mayResolve(file) ? realPath(file) : Promise.resolve(undefined);
}

function isSame(a: string, b: string): boolean {
  return comparablePath(a) === comparablePath(b);
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch {
    return [];
  }
}

/** The beginning of a file; `undefined` of what is none, or isn't there. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readBeginning(file, longestFile)).toString('utf8');
  } catch {
    return undefined;
  }
}
