import { closeSync, openSync, readSync, writeSync } from 'node:fs';
// @ts-expect-error The package has no types.
import untyped from 'seek-bzip';
import { UnpackError } from './unpackError';

// Agents are published in such archives, goose in no others. Node can't read them itself.

/** The part of the package that is used. */
interface SeekBzip {
  /** Reads byte by byte, and stops where either of the two throws. */
  decode(input: Source, output: Target, isMultistream: boolean): void;
  readonly Stream: { readonly prototype: { readonly read: unknown } };
}

const seekBzip = untyped as SeekBzip;
const pieceBytes = 256 * 1024;

/**
 * Decompresses a file into a new one of at most `most` bytes. Takes long, and only ends once it is done: for a thread
 * of its own.
 */
export function bunzipFile(from: string, to: string, most: number): void {
  const input = openSync(from, 'r');
  try {
    const output = openSync(to, 'wx', 0o600);
    try {
      decode(input, output, most);
    } finally {
      closeSync(output);
    }
  } finally {
    closeSync(input);
  }
}

function decode(input: number, output: number, most: number): void {
  const source = new Source(input);
  const target = new Target(output, most);
  try {
    seekBzip.decode(source, target, true);
  } catch (error) {
    // What the decoder throws is about the data.
    throw error instanceof TypeError ? new UnpackError('broken', error.message) : error;
  }
  target.flush();
}

/** The bytes of a file, one by one. */
class Source {
  readonly read = seekBzip.Stream.prototype.read;
  readonly #descriptor: number;
  readonly #piece = Buffer.allocUnsafe(pieceBytes);
  #length = 0;
  #at = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  readonly readByte = (): number => {
    if (this.eof()) {
      throw new UnpackError('broken', 'it ends too early');
    }
    return this.#piece[this.#at++] ?? 0;
  };

  readonly eof = (): boolean => {
    if (this.#at === this.#length) {
      this.#length = readSync(this.#descriptor, this.#piece);
      this.#at = 0;
    }
    return this.#length === 0;
  };
}

/** A file that is written in pieces, up to a number of bytes. */
class Target {
  readonly #descriptor: number;
  readonly #most: number;
  readonly #piece = Buffer.allocUnsafe(pieceBytes);
  #written = 0;
  #at = 0;

  constructor(descriptor: number, most: number) {
    this.#descriptor = descriptor;
    this.#most = most;
  }

  readonly writeByte = (byte: number): void => {
    if (this.#at === this.#piece.length) {
      this.flush();
    }
    this.#piece[this.#at++] = byte;
  };

  flush(): void {
    if (this.#written + this.#at > this.#most) {
      throw new UnpackError('tooLarge', `more than ${this.#most} bytes`);
    }
    for (let from = 0; from < this.#at; ) {
      from += writeSync(this.#descriptor, this.#piece, from, this.#at - from);
    }
    this.#written += this.#at;
    this.#at = 0;
  }
}
