import { Buffer } from 'node:buffer';

/**
 * The end of what a command has written, within a number of bytes of UTF-8 and cut from the beginning
 * between two characters (TE-3). Holds no more than twice as many bytes.
 */
export class OutputTail {
  readonly #limit: number;
  #buffer = Buffer.alloc(0);
  #end = 0;
  #total = 0;
  #text: string | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  get text(): string {
    this.#text ??= this.#read();
    return this.#text;
  }

  push(text: string): void {
    const bytes = Buffer.from(text);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#limit));
    if (this.#end + kept.length > this.#buffer.length) {
      this.#makeRoom(kept.length);
    }
    kept.copy(this.#buffer, this.#end);
    this.#end += kept.length;
    this.#total += bytes.length;
    this.#text = undefined;
  }

  /** Nothing comes any more: keeps the text only. */
  end(): void {
    this.#text = this.text;
    this.#buffer = Buffer.alloc(0);
    this.#end = 0;
  }

  /** Moves what still counts to the front, into a larger buffer as long as it may grow. */
  #makeRoom(length: number): void {
    const counts = Math.min(this.#end, this.#limit - length);
    const size = Math.min(2 * this.#limit, Math.max(counts + length, 2 * this.#buffer.length));
    const target = size > this.#buffer.length ? Buffer.allocUnsafe(size) : this.#buffer;
    this.#buffer.copy(target, 0, this.#end - counts, this.#end);
    this.#buffer = target;
    this.#end = counts;
  }

  #read(): string {
    let start = Math.max(0, this.#end - this.#limit);
    while (this.truncated && start < this.#end && isInsideCharacter(this.#buffer[start])) {
      start++;
    }
    return this.#buffer.toString('utf8', start, this.#end);
  }
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
