import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from './heldFiles';
import { getMark, mayLive } from './processMark';

// A file that may be read at any moment, or after a crash, is never written in place: a file beside it becomes all that
// it is to be, is flushed to the disk, and then takes its name. The file beside it is named after the process that
// writes it, so that two windows never write the same one, and what a window left that is no more can be told from what
// another one writes.

const unfinished = /^\.acp-(.+)\.tmp$/;
/** Folders that are remembered as looked through. */
const maxFolders = 1_000;
const looked = new Set<string>();

export interface Replacing {
  /** The permissions of the file; by default only the user may read and write it. */
  readonly mode?: number;
  /** Number of bytes of the current file that stay at the beginning. */
  readonly kept?: number;
  /** What remains to be done to the open file when all is written. */
  readonly finish?: (handle: FileHandle) => Promise<void>;
}

/**
 * Replaces a file, or creates it in its folder. Every byte is on the disk before the file has its name; if anything
 * fails, this rejects, and the file is as it was.
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, kept = 0, finish }: Replacing = {},
): Promise<void> {
  const folder = path.dirname(file);
  await removeLeftovers(folder);
  const beside = path.join(folder, `.acp-${getMark(randomBytes(8).toString('hex'))}.tmp`);
  try {
    if (kept > 0) {
      await copyFile(file, beside, constants.COPYFILE_EXCL);
    }
    const handle = await open(beside, kept > 0 ? 'r+' : creating, mode);
    try {
      await keepBytes(handle, file, kept);
      await writeAll(handle, content, kept);
      await finish?.(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await whileHeld(() => rename(beside, file));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Creates a file in a folder that has its own name only when it is whole; rejects unless every byte is on the disk. */
export async function createFile(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, creating, 0o600);
  try {
    await writeAll(handle, content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes every byte: the system may write only some of them, for example when the disk becomes full. */
export async function writeAll(
  handle: FileHandle,
  content: string | Uint8Array,
  start = 0,
): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.length - written;
    const { bytesWritten } = await handle.write(bytes, written, rest, start + written);
    if (bytesWritten === 0) {
      throw new Error(`${rest} of ${bytes.length} bytes could not be written`);
    }
    written += bytesWritten;
  }
}

/** Whether a file with this name is one that a process writes that may be alive. */
export function isBeingWritten(name: string): boolean {
  const mark = unfinished.exec(name)?.[1];
  return mark !== undefined && mayLive(mark);
}

const creating = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

async function keepBytes(handle: FileHandle, file: string, kept: number): Promise<void> {
  if (kept > 0) {
    const { size } = await handle.stat();
    if (size < kept) {
      throw new Error(`${file} has only ${size} of ${kept} bytes`);
    }
    await handle.truncate(kept);
  }
}

/** Removes what is left of broken writes, once for each folder, as nothing is urgent about it. Never rejects. */
async function removeLeftovers(folder: string): Promise<void> {
  // The folder may be given by its descriptor.
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || looked.has(real)) {
    return;
  }
  if (looked.size >= maxFolders) {
    looked.clear();
  }
  looked.add(real);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((it) => unfinished.test(it) && !isBeingWritten(it))) {
    await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}
