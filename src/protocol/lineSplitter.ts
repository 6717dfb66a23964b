import { Buffer } from 'node:buffer';
import { ByteBuffer } from './byteBuffer';

/** 32 MiB, the limit of the SDK's own stream. */
export const defaultMaxMessageBytes = 32 * 1024 * 1024;

/** Bytes that are kept of the head and of the tail of a dropped line, to tell what it was. */
const headBytes = 4096;
const noBytes = Buffer.alloc(0);

const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');

export interface OversizeLine {
  readonly bytes: number;
  /** The first 4 KiB. */
  readonly head: string;
  /** The last 4 KiB. */
  readonly tail: string;
}

export interface LineSplitterOptions {
  readonly maxBytes: number;
  onLine(line: string): void;
  /** A line longer than `maxBytes` was dropped. */
  onOversize(line: OversizeLine): void;
}

/**
 * Splits bytes into lines (TR-4), which don't depend on how the bytes are divided into chunks. CRLF counts as a line
 * end, a byte order mark at the very start is dropped, invalid UTF-8 becomes U+FFFD. Never holds more than `maxBytes`
 * of an unfinished line.
 *
 * Each line is decoded on its own. Text beyond Latin-1 then costs two bytes a character only in the lines that contain
 * some, which makes parsing measurably faster than decoding whole chunks, and a substring of a line can't keep a whole
 * chunk in memory.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  /** The unfinished line, of which `#length` bytes were received. */
  readonly #kept = new ByteBuffer();
  #length = 0;
  #started = false;
  /** The last bytes of an unfinished line that is too long already. */
  #tail: Buffer = noBytes;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    let end = bytes.indexOf(newline);
    while (end !== -1) {
      if (this.#length === 0) {
        this.#emit(bytes, start, end, end - start);
      } else {
        this.#keep(bytes, start, end);
        this.#finish();
      }
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    if (start < bytes.length) {
      this.#keep(bytes, start, bytes.length);
    }
  }

  /** Delivers a last line without a line end. */
  end(): void {
    if (this.#length > 0) {
      this.#finish();
    }
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const kept = this.#kept;
    this.#length += end - start;
    if (this.#length <= this.#options.maxBytes) {
      kept.append(bytes.subarray(start, end));
      return;
    }
    const before = this.#tail.length > 0 ? this.#tail : kept.bytes;
    this.#tail = getEnd(before, bytes.subarray(start, end));
    kept.append(bytes.subarray(start, Math.min(end, start + Math.max(0, headBytes - kept.length))));
    kept.truncate(headBytes);
  }

  #finish(): void {
    const { bytes } = this.#kept;
    const length = this.#length;
    this.#length = 0;
    this.#kept.truncate(0);
    this.#emit(bytes, 0, bytes.length, length);
    this.#tail = noBytes;
  }

  /** `length`: bytes of the whole line; `bytes` may hold only the first of them. */
  #emit(bytes: Buffer, start: number, end: number, length: number): void {
    if (length > this.#options.maxBytes) {
      const head = bytes.toString('utf8', start, Math.min(end, start + headBytes));
      const last = this.#tail.length > 0 ? this.#tail : getEnd(bytes.subarray(start, end));
      this.#options.onOversize({ bytes: length, head, tail: last.toString('utf8') });
    } else {
      const from = start + this.#markLength(bytes, start, end);
      const to = end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;
      this.#options.onLine(bytes.toString('utf8', from, to));
    }
    this.#started = true;
  }

  #markLength(bytes: Buffer, start: number, end: number): number {
    if (this.#started || end - start < byteOrderMark.length) {
      return 0;
    }
    const first = bytes.subarray(start, start + byteOrderMark.length);
    return first.equals(byteOrderMark) ? byteOrderMark.length : 0;
  }
}

/** A copy of the last bytes of all parts together. */
function getEnd(...parts: readonly Buffer[]): Buffer {
  const all = Buffer.concat(parts.map((part) => part.subarray(-headBytes)));
  return Buffer.from(all.subarray(-headBytes));
}
