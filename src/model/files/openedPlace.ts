import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import process from 'node:process';

/**
 * Whether the system reports the path of an open file, and can resolve paths relative to an open
 * folder.
 */
export const canFollow = process.platform === 'linux';

/** A path to the open file or folder, wherever its original path leads by now. */
export function pathThrough(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/**
 * Whether the open file is at this real path, without a link on the way; `false` if that can't be
 * determined.
 */
export async function isOpenedAt(handle: FileHandle, real: string): Promise<boolean> {
  if (!canFollow) {
    return looksOpenedAt(handle, real);
  }
  const place = await readlink(pathThrough(handle)).catch(() => undefined);
  // A file that was replaced or deleted since was still there when it was opened.
  return place === real || place === `${real} (deleted)`;
}

/**
 * The same for systems that don't report the path of an open file. A change that is undone between
 * these checks goes unnoticed.
 */
export async function looksOpenedAt(handle: FileHandle, real: string): Promise<boolean> {
  try {
    const opened = await handle.stat({ bigint: true });
    const wasReal = (await realpath(real)) === real;
    const there = await lstat(real, { bigint: true });
    const isSame = there.dev === opened.dev && there.ino === opened.ino;
    return wasReal && isSame && (await realpath(real)) === real;
  } catch {
    return false;
  }
}
