import { access, chmod, constants, lstat } from 'node:fs/promises';
import path from 'node:path';
import { readExactFile, readWithMode } from '../../../model/files/exactFile';
import { comparablePath } from '../../../model/files/paths';
import { checkPath, isInside, realPathOfNew } from '../../../model/files/roots';
import type { RealPath } from '../../../model/ports';
import { realPath } from '../../../platform/files/realPath';
import type { FileNow } from '../model/reviewFiles';

/** The most that VS Code opens as text. */
const maxFileBytes = 50_000_000;

/** A file as it is on the disk. */
type FileOnDisk =
  | Exclude<FileNow, { readonly kind: 'file' }>
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number };

/** A file at a real path, as it is on the disk. */
export async function lookAt(real: string): Promise<FileOnDisk> {
  try {
    return { kind: 'file', ...(await readWithMode(real, maxFileBytes)) };
  } catch (error) {
    return isGone(error)
      ? { kind: 'absent' }
      : { kind: 'untouchable', reason: await whyUntouchable(real) };
  }
}

async function whyUntouchable(real: string): Promise<'notAFile' | 'tooLarge' | 'unreadable'> {
  const facts = await lstat(real).catch(() => undefined);
  if (facts?.isFile() === false) {
    return 'notAFile';
  }
  return facts !== undefined && facts.size > maxFileBytes ? 'tooLarge' : 'unreadable';
}

export function canRun(mode: number): boolean {
  return (mode & 0o111) !== 0;
}

/** `undefined`: there is no file. */
export async function readIfThere(real: string): Promise<Uint8Array | undefined> {
  try {
    return await readExactFile(real, maxFileBytes);
  } catch (error) {
    if (isGone(error)) {
      return undefined;
    }
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code: unknown = (error as { readonly code?: unknown }).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'gone';
}

async function getMode(real: string): Promise<number> {
  return (await lstat(real)).mode;
}

/** A file that nobody may write is protected by its owner, even if VS Code runs as root. */
export async function isReadOnly(real: string, mode: number): Promise<boolean> {
  if ((mode & 0o222) === 0) {
    return true;
  }
  return access(real, constants.W_OK).then(
    () => false,
    () => true,
  );
}

/** Changes the executable bit if it isn't as wanted. `before`: the file's permissions, if it isn't new. */
export async function setExecutable(
  real: string,
  before: number | undefined,
  isExecutable: boolean | undefined,
): Promise<void> {
  const mode = before ?? (isExecutable === true ? await getMode(real) : 0);
  if (isExecutable !== undefined && isExecutable !== canRun(mode)) {
    // Whoever may read it may run it, as for files that git creates.
    const bits = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
    await chmod(real, bits & 0o777);
  }
}

/**
 * The real path of a file in one of the folders, which may not exist. `undefined`: it isn't in any of them, a link below
 * its folder leads it elsewhere, its path can't be one of the user's files, or its folder is gone as a whole: that
 * deletes no file of it. The folder itself may be a link.
 */
export async function exactPlace(
  file: string,
  folders: readonly string[],
  resolve: RealPath = realPath,
): Promise<string | undefined> {
  try {
    checkPath(file, folders);
    const parent = await realPathOfNew(path.dirname(path.normalize(file)), resolve);
    const real = path.join(parent, path.basename(file));
    return comparablePath(real) === comparablePath(await withoutLinks(file, folders, resolve))
      ? real
      : undefined;
  } catch {
    return undefined;
  }
}

/** The file's place if no link is on the way from its folder to it. */
async function withoutLinks(
  file: string,
  folders: readonly string[],
  resolve: RealPath,
): Promise<string> {
  const folder = folders
    .filter((candidate) => isInside(file, [candidate]))
    .reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), '');
  if (folder === '') {
    throw new Error(`${file} is in none of the folders`);
  }
  const real = await resolve(folder);
  if (real === undefined) {
    throw new Error(`${folder} is gone`);
  }
  return path.join(real, path.relative(folder, file));
}

/** Looks each path up once, for files that are checked together: most are in the same few folders. */
export function realPathsOnce(): RealPath {
  const known = new Map<string, Promise<string | undefined>>();
  return (file) => {
    const found = known.get(file) ?? realPath(file);
    known.set(file, found);
    return found;
  };
}
