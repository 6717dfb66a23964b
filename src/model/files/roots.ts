import { lstat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { AcpError } from '../../protocol/errors';
import { isNetworkPath } from '../../util/networkPath';
import type { RealPath } from '../ports';

/** No system accepts longer paths. */
const longestPath = 32_767;

/** Whether `file` is one of `roots` or inside one; all paths absolute. Compares text only. */
export function isInside(file: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const relative = path.relative(root, file);
    return (
      relative === '' ||
      (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
    );
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
): Promise<string> {
  checkPath(file, folders);
  const near = roots.filter((root) => path.isAbsolute(root) && !isElsewhere(root, folders));
  const real = await realPathOfNew(path.normalize(file), realPath);
  const realRoots = await Promise.all(near.map((root) => realPath(root)));
  if (
    !isInside(
      real,
      realRoots.filter((root) => root !== undefined),
    )
  ) {
    throw refused(`${file} lies outside of the session's folders`);
  }
  return real;
}

/**
 * TR-11: throws `invalidParams` for paths that can't name one of the user's files. `folders`: those
 * of the window.
 */
export function checkPath(file: string, folders: readonly string[]): void {
  if (file.length > longestPath) {
    throw refused('The path is too long');
  }
  if (!path.isAbsolute(file)) {
    throw refused(`${file} isn't an absolute path`);
  }
  if (file.includes('\0')) {
    throw refused('The path contains a NUL character');
  }
  if (isElsewhere(file, folders)) {
    throw refused(`${file} is on another machine`);
  }
  if (process.platform === 'win32' && path.normalize(file).indexOf(':', 2) !== -1) {
    throw refused(`${file} is an alternate data stream`);
  }
}

function isElsewhere(file: string, folders: readonly string[]): boolean {
  return isNetworkPath(file) && !isInside(file, folders);
}

/**
 * The real path of a file that may not exist yet; rejects with `invalidParams` if it can't be
 * determined.
 */
export async function realPathOfNew(file: string, realPath: RealPath): Promise<string> {
  const missing: string[] = [];
  for (let existing = file; ; existing = path.dirname(existing)) {
    const real = await realPath(existing);
    if (real !== undefined) {
      return path.join(real, ...missing);
    }
    // A dangling link exists: writing would create its target, wherever that is.
    if (existing === path.dirname(existing) || (await mayExist(existing))) {
      throw refused(`${file} could not be resolved`);
    }
    missing.unshift(path.basename(existing));
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

function refused(text: string): AcpError {
  return new AcpError('invalidParams', text);
}
