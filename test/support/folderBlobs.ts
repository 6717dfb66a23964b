import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Blobs } from '../../src/features/review/model/record/fileState';

/** Contents in files of a folder, for tests with several processes. */
export class FolderBlobs implements Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await mkdir(this.#folder, { recursive: true });
    const file = path.join(this.#folder, hash);
    const handle = await open(`${file}.${process.pid}`, 'w');
    await handle.writeFile(bytes);
    await handle.close();
    await rename(`${file}.${process.pid}`, file);
    return hash;
  }

  read(hash: string): Promise<Uint8Array | undefined> {
    return readFile(path.join(this.#folder, hash)).catch(() => undefined);
  }
}
