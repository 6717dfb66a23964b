import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import process from 'node:process';

/** Whether the system says where an open file is, and can work in an open folder by a path. */
export const canFollow = process.platform === 'linux';

/** A path that leads to what is open, wherever its own path leads by now. */
export function pathThrough(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/** Whether what is open stands at this real path: no link on the way there. Says no where that can't be known. */
export async function isOpenedAt(handle: FileHandle, real: string): Promise<boolean> {
  if (!canFollow) {
    return looksOpenedAt(handle, real);
  }
  const place = await readlink(pathThrough(handle)).catch(() => undefined);
  // A file that another program has just replaced was there when it was opened.
  return place === real || place === `${real} (deleted)`;
}

/**
 * The same where the system doesn't say where an open file is. What changes between these looks and back again
 * goes unseen.
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
