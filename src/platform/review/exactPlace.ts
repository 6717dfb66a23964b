import path from 'node:path';
import { comparablePath } from '../../model/files/paths';
import { checkPath, isInside, realPathOfNew } from '../../model/files/roots';
import type { RealPath } from '../../model/ports';
import { realPath } from '../files/realPath';

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

/** Where the file is if no link is on the way from its folder to it. */
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
