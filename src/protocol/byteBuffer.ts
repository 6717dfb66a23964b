import { Buffer } from 'node:buffer';

/** A buffer larger than this is released as soon as it is empty. */
const keptBytes = 1024 * 1024;
const noBytes = Buffer.alloc(0);

/**
 * Collects bytes by copying them: what it holds is at most twice what was appended, however small the pieces are, and
 * nothing of the larger chunks that they were cut out of.
 */
export class ByteBuffer {
  #buffer: Buffer = noBytes;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was appended; only valid until more is. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** Keeps only the first bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
    if (this.#buffer.length > keptBytes) {
      this.#buffer = Buffer.from(this.bytes);
    }
  }

  /** Removes what was appended, and hands it to the caller. */
  take(): Buffer {
    const { bytes } = this;
    this.#buffer = noBytes;
    this.#length = 0;
    return bytes;
  }
}
