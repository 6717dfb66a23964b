import { lstat } from 'node:fs/promises';
import path, { type PlatformPath } from 'node:path';
import { refusal } from '../../protocol/refusal';
import { isNetworkPath } from '../../util/networkPath';
import type { RealPath } from '../ports';
import { beginsWithNames, hasPlainNames } from './windowsNames';

/** No system accepts longer paths. */
const maxPathLength = 32_767;

// `paths` is how the system writes paths, which tests choose.

/** Whether `file` is one of `roots` or inside one; all paths absolute. Compares text only. */
export function isInside(
  file: string,
  roots: readonly string[],
  paths: PlatformPath = path,
): boolean {
  return roots.some((root) => {
    const relative = paths.relative(root, file);
    const isBelow =
      relative === '' ||
      (relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative));
    return isBelow && (!isWindows(paths) || beginsWithNames(file, root));
  });
}

export interface Boundary {
  /** The folders that a session may access: `[cwd, …additionalDirectories]` (DIR-10). */
  readonly roots: readonly string[];
  /** The folders of the window: only they may be on another machine. */
  readonly folders: readonly string[];
}

/**
 * The real path of a file inside a session's roots, with the links of all its folders resolved. For
 * a file that doesn't exist yet, resolves the nearest existing folder and appends the rest
 * unchanged (FS-4, DIR-7). Rejects with `invalidParams` if the path leads outside, or if that can't
 * be determined.
 */
export async function resolveInside(
  file: string,
  { roots, folders }: Boundary,
  realPath: RealPath,
  paths: PlatformPath = path,
): Promise<string> {
  checkPath(file, folders, paths);
  const near = roots.filter((root) => paths.isAbsolute(root) && !isElsewhere(root, folders, paths));
  const real = await realPathOfNew(paths.normalize(file), realPath, paths);
  const realRoots = await Promise.all(near.map((root) => realPath(root)));
  if (
    !isInside(
      real,
      realRoots.filter((root) => root !== undefined),
      paths,
    )
  ) {
    throw refusal('outsideFolders', `${file} lies outside of the session's folders`);
  }
  return real;
}

/**
 * TR-11: throws `invalidParams` for paths that can't name one of the user's files. `folders`: those
 * of the window.
 */
export function checkPath(
  file: string,
  folders: readonly string[],
  paths: PlatformPath = path,
): void {
  if (file.length > maxPathLength) {
    throw refusal('invalidPath', 'The path is too long');
  }
  if (!paths.isAbsolute(file)) {
    throw refusal('invalidPath', `${file} isn't an absolute path`);
  }
  if (file.includes('\0')) {
    throw refusal('invalidPath', 'The path contains a NUL character');
  }
  if (isElsewhere(file, folders, paths)) {
    throw refusal('invalidPath', `${file} is on another machine`);
  }
  if (isWindows(paths) && !hasPlainNames(file)) {
    throw refusal(
      'invalidPath',
      `${file} has a name that means something else to Windows: a device, a stream in a file, or one that ends with a dot or a space`,
    );
  }
}

function isWindows(paths: PlatformPath): boolean {
  return paths.sep === '\\';
}

function isElsewhere(file: string, folders: readonly string[], paths: PlatformPath): boolean {
  return isNetworkPath(file) && !isInside(file, folders, paths);
}

/**
 * The real path of a file that may not exist yet; rejects with `invalidParams` if it can't be
 * determined.
 */
export async function realPathOfNew(
  file: string,
  realPath: RealPath,
  paths: PlatformPath = path,
): Promise<string> {
  const missing: string[] = [];
  for (let existing = file; ; existing = paths.dirname(existing)) {
    const real = await realPath(existing);
    if (real !== undefined) {
      return paths.join(real, ...missing);
    }
    if (existing === paths.dirname(existing) || (await mayExist(existing))) {
      // It may have appeared since it was looked for. Otherwise it is a dangling link: writing would create its target,
      // wherever that is.
      const appeared = await realPath(existing);
      if (appeared === undefined) {
        throw refusal('pathBroken', `${file} could not be resolved`);
      }
      return paths.join(appeared, ...missing);
    }
    missing.unshift(paths.basename(existing));
  }
}

async function mayExist(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
