import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { openWithFacts, readWhole } from '../../../../model/files/regularFile';
import { replaceFile } from '../../../../model/files/wholeFiles';
import type { Blobs } from '../record/fileState';

/** Maximum size of a recorded file, in bytes; a larger one is recorded as `unkept`. */
export const maxBlobBytes = 64 * 1024 * 1024;

export interface BlobLimits {
  /** Bytes of one. */
  readonly largest: number;
  /** Bytes of all in the folder. */
  readonly total: number;
}

const usualLimits: BlobLimits = { largest: maxBlobBytes, total: 2 * 1024 * 1024 * 1024 };

/** Blobs in files named by their hash, which are verified whenever they are read. */
export class FolderOfBlobs implements Blobs {
  readonly #folder: string;
  readonly #limits: BlobLimits;
  #measured: Promise<void> | undefined;
  /** Bytes of all, as far as this window knows. */
  #used = 0;

  constructor(folder: string, limits: Partial<BlobLimits> = {}) {
    this.#folder = folder;
    this.#limits = { ...usualLimits, ...limits };
  }

  /** Rejects with a `RangeError` for more than 64 MB, or 2 GB in sum. */
  async add(bytes: Uint8Array): Promise<string> {
    const { largest, total } = this.#limits;
    const hash = computeHash(bytes);
    // A damaged file is replaced.
    if (bytes.length <= largest && (await this.read(hash)) !== undefined) {
      return hash;
    }
    this.#measured ??= getSize(this.#folder).then((used) => {
      this.#used = used;
    });
    await this.#measured;
    if (bytes.length > largest || this.#used + bytes.length > total) {
      throw new RangeError(`${bytes.length} bytes are too many to be kept`);
    }
    this.#used += bytes.length;
    await this.#write(this.#getFile(hash), bytes);
    return hash;
  }

  async read(hash: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      return undefined;
    }
    try {
      const file = this.#getFile(hash);
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const { handle, facts } = await openWithFacts(file, flags);
      try {
        const bytes = await readWhole(handle, file, this.#limits.largest, facts);
        return computeHash(bytes) === hash ? bytes : undefined;
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  }

  /** A file appears under its name only when all of it is on the disk. */
  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const folder = path.dirname(file);
    if ((await mkdir(folder, { recursive: true })) !== undefined) {
      await syncFolder(this.#folder);
    }
    await replaceFile(file, bytes);
    await syncFolder(folder);
  }

  #getFile(hash: string): string {
    return path.join(this.#folder, hash.slice(0, 2), hash);
  }
}

/** Bytes of all files in the folders of a folder. */
async function getSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const inside = path.join(folder, name);
    for (const file of await readdir(inside).catch(() => [])) {
      bytes += (await lstat(path.join(inside, file)).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}

function computeHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Syncs a folder: otherwise a power failure could lose a new name. Windows can't do this, and doesn't need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
