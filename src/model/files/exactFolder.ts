import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import { isOpenedAt, pathThrough } from './openedPlace';

/**
 * Refuses links, on macOS also in parent folders (`O_NOFOLLOW_ANY`, for which Node has no
 * constant).
 */
export const noLinks = constants.O_NOFOLLOW | (process.platform === 'darwin' ? 0x2000_0000 : 0);

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | noLinks;

/** Opens the folder at a real path; missing ones are created, each inside its open parent. */
export async function openExactFolder(real: string): Promise<FileHandle> {
  return (await findExactFolder(real)) ?? makeFolder(real);
}

/** Opens the folder at a real path. `undefined`: nothing exists there. */
export async function findExactFolder(real: string): Promise<FileHandle | undefined> {
  const handle = await openFolder(real, real);
  if (handle === undefined || (await isOpenedAt(handle, real))) {
    return handle;
  }
  await handle.close();
  throw leadsElsewhere(real);
}

/** `undefined`: nothing exists at this path. */
async function openFolder(place: string, real: string): Promise<FileHandle | undefined> {
  try {
    return await open(place, folderFlags);
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
        return undefined;
      // A link or a file.
      case 'ENOTDIR':
      case 'ELOOP':
        throw leadsElsewhere(real);
      default:
        throw error;
    }
  }
}

async function makeFolder(real: string): Promise<FileHandle> {
  if (path.dirname(real) === real) {
    throw leadsElsewhere(real);
  }
  const parent = await openExactFolder(path.dirname(real));
  try {
    const place = path.join(pathThrough(parent), path.basename(real));
    await mkdir(place).catch(unlessThere);
    const handle = await openFolder(place, real);
    if (handle === undefined) {
      throw leadsElsewhere(real);
    }
    return handle;
  } finally {
    await parent.close();
  }
}

/**
 * The same for systems without paths through open folders: each folder is checked before the next
 * one is created in it.
 */
export async function makeExactFolders(real: string): Promise<void> {
  const there = await realpath(real).catch(() => undefined);
  if (there === undefined && path.dirname(real) !== real) {
    await makeExactFolders(path.dirname(real));
    await mkdir(real).catch(unlessThere);
  }
  if ((there ?? (await realpath(real))) !== real) {
    throw leadsElsewhere(real);
  }
}

export function leadsElsewhere(real: string): AcpError {
  return refusal('pathBroken', `${real} now leads to another location`);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}
