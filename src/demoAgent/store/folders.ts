import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { unusable } from '../vocabulary/requestErrors';

/** Throws -32602 unless the path is absolute (TR-11, NEW-3). `name` is the name of the parameter. */
export function requireAbsolute(name: string, folder: string): void {
  if (!path.isAbsolute(folder)) {
    throw unusable(`${name} must be an absolute path, not ${JSON.stringify(folder)}`);
  }
}

/** The roots other than `cwd`: absolute, without duplicates, in the client's order (DIR-2, DIR-3). */
export function checkedRoots(cwd: string, roots: readonly string[] | undefined): string[] {
  for (const root of roots ?? []) {
    requireAbsolute('additionalDirectories', root);
  }
  return [...new Set(roots)].filter((root) => root !== cwd);
}

/**
 * The canonical path of a folder: `..`, trailing slashes and symbolic links resolved, lower-cased
 * on Windows. A deleted folder keeps its resolved path, so that its sessions are still listed.
 */
export async function canonicalFolder(folder: string): Promise<string> {
  const resolved = path.resolve(folder);
  const real = await realpath(resolved).catch(() => resolved);
  return process.platform === 'win32' ? real.toLowerCase() : real;
}

/** The Git branch of a folder that is the top of a repository or a worktree; `undefined` on a detached head. */
export async function findBranch(folder: string): Promise<string | undefined> {
  const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
  const git = path.join(folder, '.git');
  const linked = /^gitdir: (.+)$/m.exec(await read(git))?.[1];
  const head = await read(
    path.join(linked === undefined ? git : path.resolve(folder, linked), 'HEAD'),
  );
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
}

/** Caches `canonicalFolder` by path. */
export class FolderNames {
  readonly #known = new Map<string, Promise<string>>();

  of(folder: string): Promise<string> {
    const known = this.#known.get(folder) ?? canonicalFolder(folder);
    this.#known.set(folder, known);
    return known;
  }
}
