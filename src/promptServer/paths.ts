import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { mentionPaths } from '../model/files/mentionPaths';
import { isInside } from '../model/files/roots';

/** Where a path that is written in a prompt leads. */
export type Place =
  | {
      readonly kind: 'found';
      /** As named, absolute; links aren't resolved. */
      readonly path: string;
      readonly isFolder: boolean;
      /** A file, and no pipe or device. */
      readonly isFile: boolean;
      /** Bytes. */
      readonly size: number;
    }
  | { readonly kind: 'missing' }
  /** It is there or not: nothing outside of the folders is told. */
  | { readonly kind: 'outside' };

/** The folders that paths are relative to, as given and with their links resolved. */
export interface Folders {
  readonly roots: readonly string[];
  readonly realRoots: readonly string[];
}

export async function foldersOf(roots: readonly string[]): Promise<Folders> {
  const absolute = roots.filter((root) => path.isAbsolute(root) && !isElsewhere(root));
  const real = await Promise.all(absolute.map(realPath));
  return { roots: absolute, realRoots: real.filter((root) => root !== undefined) };
}

/** Finds out where a path leads, links resolved; either kind of slash separates. */
export async function placeOf(written: string, folders: Folders): Promise<Place> {
  let isOutside = isElsewhere(written);
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

/** How a file is written: relative to the first folder, or with another one's name, else absolute. */
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

/** Even looking at a network path tells its host who the person is; Windows devices look like one. */
function isElsewhere(file: string): boolean {
  return /^[\\/]{2}/.test(file);
}

async function lookAt(file: string, real: string): Promise<Place | undefined> {
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
