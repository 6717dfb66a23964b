import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { mentionPaths } from '../../../model/files/mentionPaths';
import { isInside } from '../../../model/files/roots';
import type { Segment } from '../../../shared/prompt/promptDocument';
import type { LineRange } from '../../../shared/prompt/promptMention';
import { isNetworkPath } from '../../../util/networkPath';

/** The file or folder to which a path written in a prompt leads. */
export type PathTarget =
  | {
      readonly kind: 'found';
      /** The absolute path as named; symbolic links aren't resolved. */
      readonly path: string;
      readonly isFolder: boolean;
      /** Whether it is a regular file rather than a pipe or device. */
      readonly isFile: boolean;
      /** The size in bytes. */
      readonly size: number;
    }
  | { readonly kind: 'missing' }
  /** Whether it exists isn't revealed: nothing outside of the folders is. */
  | { readonly kind: 'outside' };

/** The folders that paths are relative to, as given and with symbolic links resolved. */
export interface Folders {
  readonly roots: readonly string[];
  readonly realRoots: readonly string[];
}

/** The file that a mention or an image names, and the lines of it. */
export function findFile(
  segment: Segment,
): { readonly path: string; readonly lines?: LineRange } | undefined {
  if (segment.kind === 'image') {
    return { path: segment.path };
  }
  return segment.kind === 'mention' && segment.target.kind === 'file' ? segment.target : undefined;
}

export async function getFolders(roots: readonly string[]): Promise<Folders> {
  const absolute = roots.filter((root) => path.isAbsolute(root) && !isNetworkPath(root));
  const real = await Promise.all(absolute.map(realPath));
  return { roots: absolute, realRoots: real.filter((root) => root !== undefined) };
}

/**
 * Finds out where a path leads after resolving symbolic links; both kinds of slashes separate its
 * parts.
 */
export async function getPlace(written: string, folders: Folders): Promise<PathTarget> {
  let isOutside = isNetworkPath(written);
  for (const file of isOutside ? [] : mentionPaths(written, folders.roots)) {
    const real = await realPath(file);
    if (real === undefined ? isWithin(file, folders) : isInside(real, folders.realRoots)) {
      const found = real === undefined ? undefined : await lookAt(file, real);
      if (found) {
        return found;
      }
    } else {
      isOutside = true;
    }
  }
  return { kind: isOutside ? 'outside' : 'missing' };
}

/**
 * The path as written in a prompt: relative to the first folder, prefixed with the folder's name in
 * another one, otherwise absolute.
 */
export function writtenPath(file: string, roots: readonly string[]): string {
  for (const [index, root] of roots.entries()) {
    if (isInside(file, [root])) {
      const relative = path.relative(root, file).split(path.sep).join('/');
      const prefix = index === 0 ? [] : [path.basename(root)];
      return [...prefix, ...(relative === '' ? [] : [relative])].join('/') || '.';
    }
  }
  return file.split(path.sep).join('/');
}

function isWithin(file: string, { roots, realRoots }: Folders): boolean {
  return isInside(file, [...roots, ...realRoots]);
}

async function lookAt(file: string, real: string): Promise<PathTarget | undefined> {
  try {
    const facts = await stat(real);
    const { size } = facts;
    return {
      kind: 'found',
      path: file,
      isFolder: facts.isDirectory(),
      isFile: facts.isFile(),
      size,
    };
  } catch {
    return undefined;
  }
}

async function realPath(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch {
    return undefined;
  }
}
