import { lstat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { AcpError } from '../../protocol/errors';
import type { RealPath } from '../ports';

/** No system takes longer ones. */
const longestPath = 32_767;

/** Whether `file` is one of `roots` or lies below one; both sides absolute. Pure text. */
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
  /** What a session may touch: `[cwd, …additionalDirectories]` (DIR-10). */
  readonly roots: readonly string[];
  /** The window's own folders: only they may be on another machine. */
  readonly folders: readonly string[];
}

/**
 * The real path of a file inside of a session's roots, links of all its folders resolved; of a file that
 * isn't there yet, that of the nearest folder which is, and the rest as it stands (FS-4, DIR-7).
 * Rejects with `invalidParams` when it leads outside, and when that can't be found out.
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

/** TR-11, and what no file of a person's is called: rejects those with `invalidParams`. `folders`: the window's own. */
export function checkPath(file: string, folders: readonly string[]): void {
  if (file.length > longestPath) {
    throw refused('The path is longer than any file’s');
  }
  if (!path.isAbsolute(file)) {
    throw refused(`${file} isn't an absolute path`);
  }
  if (file.includes('\0')) {
    throw refused('The path has a NUL character in it');
  }
  if (isElsewhere(file, folders)) {
    throw refused(`${file} is on another machine`);
  }
  if (process.platform === 'win32' && path.normalize(file).indexOf(':', 2) !== -1) {
    throw refused(`${file} names a stream of a file`);
  }
}

/** Even looking at a network path tells its host who the person is; Windows devices look like one. */
function isElsewhere(file: string, folders: readonly string[]): boolean {
  return /^[\\/]{2}/.test(file) && !isInside(file, folders);
}

/** The real path of what may not be there yet; rejects with `invalidParams` when it can't be found out. */
export async function realPathOfNew(file: string, realPath: RealPath): Promise<string> {
  const missing: string[] = [];
  for (let existing = file; ; existing = path.dirname(existing)) {
    const real = await realPath(existing);
    if (real !== undefined) {
      return path.join(real, ...missing);
    }
    // A link that leads nowhere is there: writing would create what it names, wherever that is.
    if (existing === path.dirname(existing) || (await mayExist(existing))) {
      throw refused(`It can't be found out where ${file} leads`);
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
