import path from 'node:path';
import { comparablePath } from '../../model/files/paths';
import { checkPath, isInside, realPathOfNew } from '../../model/files/roots';
import { realPath } from '../files/realPath';

/**
 * The real path of a file that may not exist. `undefined`: a link below its folder leads it elsewhere, or its path
 * can't be one of the user's files. The folder itself may be a link.
 */
export async function exactPlace(
  file: string,
  folders: readonly string[],
): Promise<string | undefined> {
  try {
    checkPath(file, folders);
    const parent = await realPathOfNew(path.dirname(path.normalize(file)), realPath);
    const real = path.join(parent, path.basename(file));
    return comparablePath(real) === comparablePath(await withoutLinks(file, folders))
      ? real
      : undefined;
  } catch {
    return undefined;
  }
}

/** Where the file is if no link is on the way from its folder to it. */
async function withoutLinks(file: string, folders: readonly string[]): Promise<string> {
  const folder = folders
    .filter((candidate) => isInside(file, [candidate]))
    .reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), '');
  const real = folder === '' ? undefined : await realPath(folder);
  return real === undefined ? file : path.join(real, path.relative(folder, file));
}
