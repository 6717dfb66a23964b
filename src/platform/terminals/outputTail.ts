import { Buffer } from 'node:buffer';
import { afterSequence } from '../../util/terminalSequences';

/** Blocks grow up to this size, in bytes. */
const blockBytes = 64 * 1024;
const leastBlockBytes = 256;
/** Bytes before a cut that are searched for the beginning of a terminal sequence. */
const lookBackBytes = 512;

/**
 * The end of a command's output, within a number of bytes of UTF-8 and cut at a character boundary
 * (TE-3). Holds at most that many bytes and two blocks.
 */
export class OutputTail {
  #limit: number;
  /** All blocks are full, except for the last one. */
  #blocks: Buffer[] = [];
  #free = 0;
  #held = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  get text(): string {
    return this.last(this.#limit);
  }

  /** Bytes of memory held. */
  get held(): number {
    return this.#held;
  }

  /** The end of the text, within a number of bytes; it doesn't begin within a terminal sequence if that is still held. */
  last(bytes: number): string {
    const held = this.#last(bytes + lookBackBytes);
    let start = Math.max(0, held.length - bytes);
    while (held.length - start < this.#total && isInsideCharacter(held[start])) {
      start++;
    }
    const before = held.toString('utf8', 0, start);
    const text = held.toString('utf8', start);
    const skipped = afterSequence(before + text, before.length) - before.length;
    // A separate string rather than a slice, which would keep a longer one alive.
    return skipped === 0
      ? text
      : held.toString('utf8', start + Buffer.byteLength(text.slice(0, skipped)));
  }

  push(text: string): void {
    const bytes = Buffer.from(text);
    this.#total += bytes.length;
    this.#append(bytes.subarray(Math.max(0, bytes.length - this.#limit)));
    this.#dropFirst();
  }

  /** Lowers the limit, from now on. */
  keepAtMost(bytes: number): void {
    this.#limit = Math.min(this.#limit, bytes);
    this.end();
  }

  /** Frees the space reserved for further output. */
  end(): void {
    const kept = Buffer.from(this.#last(this.#limit));
    this.#blocks = kept.length > 0 ? [kept] : [];
    this.#held = kept.length;
    this.#free = 0;
  }

  #append(bytes: Buffer): void {
    const fitting = Math.min(this.#free, bytes.length);
    const last = this.#blocks.at(-1);
    last?.set(bytes.subarray(0, fitting), last.length - this.#free);
    this.#free -= fitting;
    const rest = bytes.subarray(fitting);
    if (rest.length > 0) {
      const grown = Math.min(Math.max(this.#held, leastBlockBytes), blockBytes);
      const block = Buffer.allocUnsafeSlow(Math.max(grown, rest.length));
      block.set(rest);
      this.#blocks.push(block);
      this.#held += block.length;
      this.#free = block.length - rest.length;
    }
  }

  #dropFirst(): void {
    let [first] = this.#blocks;
    while (first && this.#held - this.#free - first.length >= this.#limit) {
      this.#blocks.shift();
      this.#held -= first.length;
      [first] = this.#blocks;
    }
    if (this.#blocks.length === 0) {
      this.#free = 0;
    }
  }

  #last(bytes: number): Buffer {
    const used = this.#held - this.#free;
    const all = Buffer.concat(this.#blocks, used);
    return all.subarray(Math.max(0, used - Math.min(bytes, this.#limit)));
  }
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
