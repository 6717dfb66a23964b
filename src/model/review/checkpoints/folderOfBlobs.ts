import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { openRegularFile, readWhole } from '../../files/regularFile';
import type { Blobs } from '../fileState';

/** In bytes; a larger file is recorded as `unkept`. */
export const largestBlob = 64 * 1024 * 1024;

/** Blobs in files named by their hash, which are verified whenever they are read. */
export class FolderOfBlobs implements Blobs {
  readonly #folder: string;
  readonly #largest: number;

  constructor(folder: string, largest = largestBlob) {
    this.#folder = folder;
    this.#largest = largest;
  }

  /** Rejects with a `RangeError` for more than 64 MB. */
  async add(bytes: Uint8Array): Promise<string> {
    if (bytes.length > this.#largest) {
      throw new RangeError(`${bytes.length} bytes are too many to be kept`);
    }
    const hash = hashOf(bytes);
    // A damaged file is replaced.
    if ((await this.read(hash)) === undefined) {
      await this.#write(this.#fileOf(hash), bytes);
    }
    return hash;
  }

  async read(hash: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      return undefined;
    }
    try {
      const file = this.#fileOf(hash);
      const handle = await openRegularFile(file, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const bytes = await readWhole(handle, file, this.#largest);
        return hashOf(bytes) === hash ? bytes : undefined;
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
    const beside = path.join(folder, `.${randomUUID()}.tmp`);
    try {
      const handle = await open(beside, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(beside, file);
    } catch (error) {
      await unlink(beside).catch(() => undefined);
      throw error;
    }
    await syncFolder(folder);
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, hash.slice(0, 2), hash);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Without it a new name could be lost in a power failure. Windows can't, and needn't. */
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
