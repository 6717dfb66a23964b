import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { RealPath } from '../ports';
import { type Boundary, resolveInside } from './roots';

/**
 * All absolute paths that a path in a prompt may mean, the most likely first: both kinds of slash
 * are separators, and with several folders the path may begin with a folder's name.
 */
export function mentionPaths(written: string, roots: readonly string[]): readonly string[] {
  if (written.includes('\0')) {
    return [];
  }
  const spellings = [...new Set([written, written.replaceAll('\\', '/')])];
  return spellings.flatMap((spelling) => {
    if (path.isAbsolute(spelling)) {
      return [path.normalize(spelling)];
    }
    const direct = roots.map((root) => path.join(root, spelling));
    return [...direct, ...byFolderName(spelling, roots)];
  });
}

function byFolderName(spelling: string, roots: readonly string[]): readonly string[] {
  const [name = '', ...rest] = spelling.split('/');
  return roots
    .slice(1)
    .filter((root) => path.basename(root) === name)
    .map((root) => path.join(root, rest.join('/')));
}

/**
 * The file or folder of the session that a path in a prompt means; `undefined` if there is none.
 */
export async function findMentionedPath(
  written: string,
  boundary: Boundary,
  realPath: RealPath,
): Promise<{ readonly path: string; readonly isFolder: boolean } | undefined> {
  for (const file of mentionPaths(written, boundary.roots)) {
    try {
      await resolveInside(file, boundary, realPath);
      const facts = await stat(file);
      if (facts.isFile() || facts.isDirectory()) {
        return { path: file, isFolder: facts.isDirectory() };
      }
    } catch {
      // Missing, or outside the session's folders: another folder may have it.
    }
  }
  return undefined;
}
