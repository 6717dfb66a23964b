import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import {
  findExactFolder,
  leadsElsewhere,
  makeExactFolders,
  noLinks,
  openExactFolder,
} from './exactFolder';
import { canFollow, isOpenedAt, pathThrough } from './openedPlace';
import { openWithFacts, readWhole } from './regularFile';
import { replaceFile, writeAll } from './wholeFiles';

// Files at real paths, as returned by `resolveInside`: without links on the way. Someone may create
// a link between that check and the use. So the file is opened first, and then the open file is
// checked: that it is at this path, and that it is a regular file. From then on all access goes
// through the open handle, never through the path again.

/** How often a file is looked for that appears and vanishes again. */
const maxTries = 3;

/** Errors when a file that can itself be written can't be replaced by another. */
const fixedInPlace: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'];

/**
 * All bytes of a file. Rejects with `gone`, and with `invalidParams` if it isn't a regular file or
 * leads elsewhere by now.
 */
export async function readExactFile(real: string, maxBytes: number): Promise<Buffer> {
  return (await readWithMode(real, maxBytes)).bytes;
}

/** Reads as `readExactFile` does, and returns the file's permissions, too. */
export async function readWithMode(
  real: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly mode: number }> {
  const { handle, facts } = await openExact(real, constants.O_RDONLY);
  try {
    return { bytes: await readWhole(handle, real, maxBytes, facts), mode: facts.mode };
  } finally {
    await handle.close();
  }
}

/**
 * Writes a whole file and creates its missing folders. On Linux a new file replaces the old one, so
 * that no reader ever sees a partial file; elsewhere, and where replacing fails, the old file is
 * overwritten.
 */
export async function writeExactFile(
  real: string,
  bytes: Uint8Array,
  replaces = canFollow,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await writeOnce(real, bytes, replaces);
      return;
    } catch (error) {
      // Someone else, such as the agent itself, has created it since it was looked for.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries === maxTries) {
        throw error;
      }
    }
  }
}

async function writeOnce(real: string, bytes: Uint8Array, replaces: boolean): Promise<void> {
  const old = await openIfThere(real);
  try {
    if (replaces) {
      await replace(real, bytes, old);
    } else if (old !== undefined) {
      await writeOver(old, bytes);
    } else {
      await create(real, bytes);
    }
  } finally {
    await old?.close();
  }
}

/**
 * Creates a file, with its missing folders and these permissions. Rejects with the code `EEXIST` if anything has its
 * name, and with `invalidParams` if a folder on the way is a link.
 */
export async function createExactFile(
  real: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const folder = canFollow ? await openExactFolder(path.dirname(real)) : undefined;
  try {
    if (folder === undefined) {
      await makeExactFolders(path.dirname(real));
    }
    const at = folder === undefined ? real : path.join(pathThrough(folder), path.basename(real));
    const handle = await open(at, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      if (!(await isOpenedAt(handle, real))) {
        throw leadsElsewhere(real);
      }
      await writeAll(handle, bytes);
    } finally {
      await handle.close();
    }
  } finally {
    await folder?.close();
  }
}

/**
 * Deletes a file for good if it still has these bytes; on Linux in its open folder, wherever the path leads by now.
 * Returns whether it did. Rejects with `gone`, and with `invalidParams` if it isn't a regular file or leads elsewhere.
 */
export async function deleteExactFile(real: string, expected: Uint8Array): Promise<boolean> {
  if (!canFollow) {
    return deleteIfSame(real, real, expected);
  }
  const folder = await findExactFolder(path.dirname(real));
  if (folder === undefined) {
    throw refusal('resourceNotFound', `The folder of ${real} does not exist`);
  }
  try {
    const place = path.join(pathThrough(folder), path.basename(real));
    return await deleteIfSame(real, place, expected);
  } finally {
    await folder.close();
  }
}

/** `place`: another path to the file. */
async function deleteIfSame(real: string, place: string, expected: Uint8Array): Promise<boolean> {
  const { handle, facts } = await openExact(real, constants.O_RDONLY, place);
  try {
    const isLong = facts.size > expected.length;
    if (isLong || !(await readWhole(handle, real, expected.length, facts)).equals(expected)) {
      return false;
    }
    const { dev, ino } = await lstat(place);
    if (dev !== facts.dev || ino !== facts.ino) {
      return false;
    }
    await unlink(place);
    return true;
  } finally {
    await handle.close();
  }
}

async function openExactFile(real: string, flags: number): Promise<FileHandle> {
  return (await openExact(real, flags)).handle;
}

/** `place`: another path to the file. */
async function openExact(
  real: string,
  flags: number,
  place = real,
): Promise<{ readonly handle: FileHandle; readonly facts: Stats }> {
  const opened = await openWithFacts(place, flags | noLinks);
  if (await isOpenedAt(opened.handle, real)) {
    return opened;
  }
  await opened.handle.close();
  throw leadsElsewhere(real);
}

/** Opened for writing, so that a read-only file is refused. */
async function openIfThere(real: string): Promise<FileHandle | undefined> {
  try {
    return await openExactFile(real, constants.O_RDWR);
  } catch (error) {
    if (error instanceof AcpError && error.code === 'gone') {
      return undefined;
    }
    throw error;
  }
}

async function replace(
  real: string,
  bytes: Uint8Array,
  old: FileHandle | undefined,
): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await openExactFolder(path.dirname(real));
    const like = await old?.stat();
    await replaceFile(path.join(pathThrough(folder), path.basename(real)), bytes, {
      mode: like === undefined ? 0o666 : 0o600,
      ...(like && { finish: (handle) => copyOwnerAndMode(handle, like) }),
    });
  } catch (error) {
    if (old === undefined || !fixedInPlace.includes((error as NodeJS.ErrnoException).code)) {
      throw error;
    }
    await writeOver(old, bytes);
  } finally {
    await folder?.close();
  }
}

/** Changes the owner first, because that clears some of the permissions. */
async function copyOwnerAndMode(handle: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== old.uid || gid !== old.gid) {
    await handle.chown(old.uid, old.gid);
  }
  await handle.chmod(old.mode & 0o777);
}

async function create(real: string, bytes: Uint8Array): Promise<void> {
  await makeExactFolders(path.dirname(real));
  const handle = await openExactFile(real, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
  try {
    await writeOver(handle, bytes);
  } finally {
    await handle.close();
  }
}

async function writeOver(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.truncate(0);
  await writeAll(handle, bytes);
  await handle.sync();
}
