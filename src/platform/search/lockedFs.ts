import * as fs from 'node:fs';
import { releaseLock, takeLock } from './fileLock';

/**
 * What the database engine of this bundle gets for `fs`. It locks its file with a folder beside it, which
 * outlives a crash and can't be made where nothing can be written; here that folder is a lock which
 * neither is true of.
 */

export * from 'node:fs';

const suffix = '.lock';
const held = new Set<string>();
let withoutLock = false;

/** The last lock was granted because nobody can write there: so must not whoever got it. */
export function isWithoutLock(): boolean {
  return withoutLock;
}

export function mkdirSync(file: fs.PathLike): void {
  const path = lockOf(file);
  const taken = takeLock(path);
  if (taken === 'busy') {
    throw Object.assign(new Error('The lock is held'), { code: 'EEXIST' });
  }
  withoutLock = taken === 'impossible';
  held.add(path);
}

export function rmdirSync(file: fs.PathLike): void {
  const path = lockOf(file);
  if (held.delete(path) && !withoutLock) {
    releaseLock(path);
  }
}

/** A lock is for one alone: as long as it is held here, no other one is about to write. */
export function accessSync(file: fs.PathLike, mode?: number): void {
  if (typeof file === 'string' && held.has(file)) {
    throw Object.assign(new Error('It is held here'), { code: 'ENOENT' });
  }
  fs.accessSync(file, mode);
}

function lockOf(file: fs.PathLike): string {
  if (typeof file !== 'string' || !file.endsWith(suffix)) {
    throw new Error('The engine makes folders for locks only');
  }
  return file;
}
