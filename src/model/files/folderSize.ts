import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { mapAtOnce } from '../../util/async';

/** What a folder takes, and when something in it was last written. */
export interface FolderSize {
  /** The bytes of the files that were looked at. */
  readonly bytes: number;
  /** The newest time of a file, in ms since 1970; 0 without files. */
  readonly changedAt: number;
  /** Whether everything was looked at; otherwise it is larger, perhaps by much. */
  readonly isWhole: boolean;
}

export interface SizeLimits {
  readonly bytes: number;
  readonly files: number;
  readonly depth: number;
  readonly ms: number;
}

export const sizeLimits: SizeLimits = {
  bytes: 2 * 1024 ** 3,
  files: 200_000,
  depth: 64,
  ms: 20_000,
};

const filesAtOnce = 16;

/**
 * Adds up the files of a folder, and follows no link. Gives up at the limits, when `signal` aborts, and at what can't be
 * read. Never rejects.
 */
export async function readSize(
  folder: string,
  signal: AbortSignal,
  limits: SizeLimits = sizeLimits,
): Promise<FolderSize> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(limits.ms)]);
  const waiting = [{ at: folder, depth: 0 }];
  const found = { bytes: 0, changedAt: 0, isWhole: true };
  let files = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, depth } = next;
    if (end.aborted || found.bytes > limits.bytes || files > limits.files) {
      return { ...found, isWhole: false };
    }
    const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined);
    const inner = entries?.filter((entry) => entry.isDirectory()) ?? [];
    const others = entries?.filter((entry) => !entry.isDirectory()) ?? [];
    const kept = others.slice(0, limits.files - files);
    files += others.length;
    await mapAtOnce(kept, filesAtOnce, async ({ name }) => {
      const facts = end.aborted
        ? undefined
        : await lstat(path.join(at, name)).catch(() => undefined);
      found.bytes += facts?.isFile() === true ? facts.size : 0;
      found.changedAt = Math.max(found.changedAt, facts?.mtimeMs ?? 0);
    });
    const isTooDeep = depth >= limits.depth && inner.length > 0;
    if (entries === undefined || isTooDeep || kept.length < others.length) {
      found.isWhole = false;
    }
    for (const { name } of isTooDeep ? [] : inner) {
      waiting.push({ at: path.join(at, name), depth: depth + 1 });
    }
  }
  return { ...found, isWhole: found.isWhole && !end.aborted };
}

/** The bytes of a folder's files, up to the limits; 0 if it isn't there. Never rejects. */
export async function folderSize(folder: string): Promise<number> {
  return (await readSize(folder, new AbortController().signal)).bytes;
}
