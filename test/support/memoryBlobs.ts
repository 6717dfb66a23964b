import { createHash } from 'node:crypto';
import type { Blobs } from '../../src/features/review/model/record/fileState';

/** Contents in memory. */
export class MemoryBlobs implements Blobs {
  readonly #bytes = new Map<string, Uint8Array>();

  add(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#bytes.set(hash, Uint8Array.from(bytes));
    return Promise.resolve(hash);
  }

  read(hash: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#bytes.get(hash));
  }

  /** Loses a content, as if the disk had. */
  lose(hash: string): void {
    this.#bytes.delete(hash);
  }
}
