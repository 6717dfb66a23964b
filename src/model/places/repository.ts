import path from 'node:path';
import { comparablePath, mayResolve } from '../files/paths';
import { readBeginning } from '../files/regularFile';
import type { RealPath } from '../ports';

/** The position of a folder in its repository. */
export interface Repository {
  /** The top folder of its worktree. */
  readonly top: string;
  /** The relative path from there to the folder. */
  readonly below: string;
  /** The git directory of this worktree. */
  readonly directory: string;
  /** The git directory that all worktrees of the repository share. */
  readonly common: string;
}

const maxParents = 64;
/** Bytes that are read; longer files in a git directory aren't what they seem to be. */
const maxFileBytes = 65_536;

/**
 * The repository that a folder is in, found in git's files, without starting a process. Anyone may
 * have written these files. Never rejects.
 */
export async function findRepository(
  folder: string,
  realPath: RealPath,
): Promise<Repository | undefined> {
  const real = await lookUp(folder, realPath);
  if (real === undefined) {
    return undefined;
  }
  let top = real;
  for (let parents = 0; parents < maxParents; parents++) {
    const directory = await findGitDirectory(top, realPath);
    if (directory !== undefined) {
      const common = await readCommonDirectory(directory, realPath);
      return { top, below: path.relative(top, real), directory, common };
    }
    const parent = path.dirname(top);
    if (parent === top) {
      return undefined;
    }
    top = parent;
  }
  return undefined;
}

/**
 * The git directory of a folder: `.git`, or the target of a `.git` file (linked worktrees,
 * submodules).
 */
export async function findGitDirectory(
  top: string,
  realPath: RealPath,
): Promise<string | undefined> {
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

async function readCommonDirectory(directory: string, realPath: RealPath): Promise<string> {
  const text = (await readText(path.join(directory, 'commondir')))?.trim();
  const common = text ? await lookUp(path.resolve(directory, text), realPath) : undefined;
  return common ?? directory;
}

export function lookUp(file: string, realPath: RealPath): Promise<string | undefined> {
  return mayResolve(file) ? realPath(file) : Promise.resolve(undefined);
}

export function isSame(a: string, b: string): boolean {
  return comparablePath(a) === comparablePath(b);
}

/** The beginning of a file; `undefined` if it is missing or not a regular file. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readBeginning(file, maxFileBytes)).toString('utf8');
  } catch {
    return undefined;
  }
}
