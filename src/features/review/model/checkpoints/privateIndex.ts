import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, readdir, rename, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openRegularFile, readWhole } from '../../../../model/files/regularFile';
import { type ObjectFormat, readIndex } from './gitIndex';

const maxIndexBytes = 256 * 1024 * 1024;
/** An index file that isn't ready yet: other windows must not begin with what is in it. */
const unfinished = '.new';
/** Names of index files: one for each process, named by its id. */
const names = /^index\.(\d+)\.[0-9a-f]{8}((?:\.new)?(?:\.lock)?)$/;
/** No process has this id: the owner has left the file to the next one. */
const nobody = 0;

/**
 * The path of an index file for this process in a private git directory, until `finishIndex`. It begins as the newest
 * of the other processes' files that isn't damaged, if there is one; those of processes that are gone are removed.
 */
export async function ownIndex(
  directory: string,
  format: ObjectFormat,
): Promise<{ readonly file: string; readonly isNew: boolean }> {
  const file = path.join(directory, `${nameFor(process.pid)}${unfinished}`);
  const found: { readonly file: string; readonly isAlive: boolean; readonly at: number }[] = [];
  for (const name of await readdir(directory)) {
    const [, pid, ending] = names.exec(name) ?? [];
    const other = path.join(directory, name);
    const facts = pid === undefined ? undefined : await lstat(other).catch(() => undefined);
    const isAlive = isRunning(Number(pid));
    if (facts !== undefined && ending !== '' && !isAlive) {
      await unlink(other).catch(() => undefined);
    } else if (facts?.isFile() === true && ending === '') {
      found.push({ file: other, isAlive, at: facts.mtimeMs });
    }
  }
  found.sort((a, b) => b.at - a.at);
  let isNew = true;
  for (const { file: other, isAlive } of found) {
    if (isNew && (await isWhole(other, format))) {
      isNew = !(await (isAlive ? copyIndex(other, file) : take(other, file)));
    }
  }
  for (const other of found.filter(({ isAlive }) => !isAlive)) {
    await unlink(other.file).catch(() => undefined);
  }
  return { file, isNew };
}

/** Lets other windows begin with this index file, which may not exist; returns its path from now on. */
export async function finishIndex(file: string): Promise<string> {
  const finished = file.slice(0, -unfinished.length);
  await take(file, finished);
  return finished;
}

async function isWhole(file: string, format: ObjectFormat): Promise<boolean> {
  const read = await readIndexFile(file).catch(() => undefined);
  return read !== undefined && readIndex(read.bytes, format) !== undefined;
}

/** Leaves the file to the next process. */
export async function leaveIndex(file: string): Promise<void> {
  await take(file, path.join(path.dirname(file), nameFor(nobody)));
}

/** Copies an index file, which may be a hostile repository's; returns whether there was one. */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const handle = await openRegularFile(from, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { mtimeMs } = await handle.stat();
      await writeIndex(to, await readWhole(handle, from, maxIndexBytes), mtimeMs);
      return true;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/** The bytes of an index file, and its time; `undefined` if there is none. */
export async function readIndexFile(
  file: string,
): Promise<{ readonly bytes: Buffer; readonly mtimeMs: number } | undefined> {
  const handle = await openRegularFile(file).catch(() => undefined);
  if (handle === undefined) {
    return undefined;
  }
  try {
    const { mtimeMs } = await handle.stat();
    return { bytes: await readWhole(handle, file, maxIndexBytes), mtimeMs };
  } finally {
    await handle.close();
  }
}

/**
 * Writes an index file with the time of the original, or a little before: git compares the contents
 * of all files that aren't older than the index.
 */
export async function writeIndex(file: string, bytes: Buffer, mtimeMs: number): Promise<void> {
  await writeFile(file, bytes, { mode: 0o600 });
  const time = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(file, time, time);
}

/** Whether a process with this id is running, as far as this can be seen from here. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= nobody) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process that an index file belongs to. */
export function findOwner(name: string): number | undefined {
  const pid = names.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function nameFor(pid: number): string {
  return `index.${pid}.${randomBytes(4).toString('hex')}`;
}

async function take(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch {
    return false;
  }
}
