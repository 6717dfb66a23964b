import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from '../../../../model/files/heldFiles';
import { readRegularFile } from '../../../../model/files/regularFile';
import { replaceFile } from '../../../../model/files/wholeFiles';
import { lookAtAges } from '../../../../util/seenAges';
import { findOwner, isRunning } from './privateIndex';

export interface TidyLimits {
  /** What wasn't used for this many days is removed, if that many days were seen. */
  readonly days: number;
  /** Maximum size of all items; the oldest are removed until the rest fits. */
  readonly bytes: number;
}

/** The record of a session, or the checkpoints of a folder. */
interface Item {
  readonly place: string;
  readonly bytes: number;
  /** When it was last written. */
  readonly at: number;
}

/** Maximum size of a file of ages in bytes; a longer one isn't ours. */
const maxAgesBytes = 16 * 1024 * 1024;
/** Maximum number of files of an item that are counted. */
const maxFiles = 200_000;
/** Something that was being removed. */
const going = /\.gone-[0-9a-f-]{36}$/;

/**
 * Removes old records and checkpoints from the folder of all reviews, except those for which `inUse`
 * returns true, and checkpoints that a running window has taken. Returns what was removed. Never
 * rejects.
 */
export async function tidyReviews(
  folder: string,
  limits: TidyLimits,
  inUse: (place: string) => boolean,
  now = Date.now(),
): Promise<readonly string[]> {
  const items: Item[] = [];
  const parents = (await foldersIn(folder)).filter((name) => isId(name));
  for (const parent of parents) {
    for (const name of await foldersIn(path.join(folder, parent))) {
      const place = path.join(folder, parent, name);
      if (going.test(name)) {
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
      } else if (name === 'git' || isId(name)) {
        items.push(await itemAt(place));
      }
    }
  }
  const removed: string[] = [];
  const days = await lookAt(folder, items, now);
  let bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  for (const item of items.sort((a, b) => a.at - b.at)) {
    const isDue = (days.get(item.place) ?? 0) >= limits.days || bytes > limits.bytes;
    if (isDue && !inUse(item.place) && !(await isHeld(item.place)) && (await remove(item.place))) {
      bytes -= item.bytes;
      removed.push(item.place);
    }
  }
  for (const parent of parents) {
    // Only if it is empty.
    await rmdir(path.join(folder, parent)).catch(() => undefined);
  }
  return removed;
}

/** The ages of all items in days, as far as it was seen that they haven't changed. */
async function lookAt(
  folder: string,
  items: readonly Item[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (items.length === 0) {
    return new Map();
  }
  const file = path.join(folder, 'ages.json');
  const before = await readRegularFile(file, { maxBytes: maxAgesBytes }).then(
    String,
    () => undefined,
  );
  const things = items.map(({ place, at, bytes }) => ({ name: place, at, size: bytes }));
  const { days, text } = lookAtAges(before, things, now);
  await replaceFile(file, text).catch(() => undefined);
  return days;
}

function isId(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

/** The folders in a folder; links aren't followed. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function itemAt(place: string): Promise<Item> {
  let bytes = 0;
  let at = 0;
  let files = 0;
  const folders = [place];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, maxFiles - files)) {
      const file = path.join(folder, entry.name);
      const facts: Stats | undefined = await lstat(file).catch(() => undefined);
      files++;
      bytes += facts?.size ?? 0;
      at = Math.max(at, facts?.mtimeMs ?? 0);
      if (facts?.isDirectory() === true) {
        folders.push(file);
      }
    }
  }
  return {
    place,
    bytes,
    at: at === 0 ? ((await lstat(place).catch(() => undefined))?.mtimeMs ?? 0) : at,
  };
}

/** Whether a running window has an index file in it. */
async function isHeld(place: string): Promise<boolean> {
  const names = path.basename(place) === 'git' ? await readdir(place).catch(() => []) : [];
  return names.some((name) => {
    const owner = findOwner(name);
    return owner !== undefined && isRunning(owner);
  });
}

/** Renames it first, so that a crash doesn't leave half of it under its name. */
async function remove(place: string): Promise<boolean> {
  const gone = `${place}.gone-${randomUUID()}`;
  try {
    await whileHeld(() => rename(place, gone));
    await whileHeld(() => rm(gone, { recursive: true, force: true }));
    return true;
  } catch {
    return false;
  }
}
