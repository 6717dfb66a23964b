import type { Readable } from 'node:stream';
import { streamGit, toFailure } from '../../../../model/git/gitProcess';
import type { Blobs } from '../record/fileState';
import type { GitStore } from './gitStore';
import { readSizes } from './sizes';

/** What became of one of the store's contents. */
export type Kept =
  | { readonly kind: 'kept'; readonly hash: string; readonly size: number }
  | { readonly kind: 'unkept'; readonly reason: 'tooLarge' | 'filtered' }
  /** The store doesn't have it. */
  | { readonly kind: 'missing' };

/** Maximum size of a Git LFS mark in bytes; one with its id is shorter. */
const maxMarkBytes = 200;
const lineEnd = 0x0a;
const maxFilesAtOnce = 8;
const maxBytesAtOnce = 16 * 1024 * 1024;

/** Copies contents of the store into blobs, a few at a time. */
export async function keepContents(
  store: GitStore,
  ids: readonly string[],
  blobs: Blobs,
): Promise<ReadonlyMap<string, Kept>> {
  const sizes = await readSizes((args, text) => store.reading(args, text), ids);
  const kept = new Map<string, Kept>();
  const wanted: string[] = [];
  for (const id of ids) {
    const size = sizes.get(id);
    if (size === undefined) {
      kept.set(id, { kind: 'missing' });
    } else if (size > store.largest) {
      kept.set(id, { kind: 'unkept', reason: 'tooLarge' });
    } else {
      wanted.push(id);
    }
  }
  if (wanted.length === 0) {
    return kept;
  }
  const input = wanted.map((id) => `${id}\n`).join('');
  const run = store.reading(['cat-file', '--batch'], input);
  const writing = new Writing();
  const { code, complaint } = await streamGit(run, async (output) => {
    const reader = new Reader(output);
    for (const id of wanted) {
      const line = (await reader.line()).toString('latin1');
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(line)?.[1];
      if (size === undefined) {
        kept.set(id, { kind: 'missing' });
        continue;
      }
      const bytes = await reader.bytes(Number(size));
      await reader.bytes(1);
      await writing.add(bytes.length, async () => {
        kept.set(id, await keep(bytes, store, blobs));
      });
    }
    await writing.end();
  });
  if (code !== 0) {
    throw toFailure(run, code, complaint);
  }
  return kept;
}

async function keep(bytes: Buffer, store: GitStore, blobs: Blobs): Promise<Kept> {
  const isFiltered = bytes.length <= maxMarkBytes && bytes.indexOf(store.filteredMark) === 0;
  if (isFiltered) {
    return { kind: 'unkept', reason: 'filtered' };
  }
  try {
    return { kind: 'kept', hash: await blobs.add(bytes), size: bytes.length };
  } catch (error) {
    if (error instanceof RangeError) {
      return { kind: 'unkept', reason: 'tooLarge' };
    }
    throw error;
  }
}

/** Work that mostly waits for the disk, run concurrently on a bounded number of bytes. */
class Writing {
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #failed = false;
  #error: unknown;

  /** Begins the work, and resolves when there is room for more. Rejects if earlier work has failed. */
  async add(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#bytes += bytes;
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failed = true;
        this.#error ??= error;
      })
      .finally(() => {
        this.#bytes -= bytes;
        this.#running.delete(running);
      });
    this.#running.add(running);
    while (this.#running.size >= maxFilesAtOnce || this.#bytes > maxBytesAtOnce) {
      await Promise.race(this.#running);
    }
    this.#check();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#check();
  }

  #check(): void {
    if (this.#failed) {
      throw this.#error;
    }
  }
}

/** Reads a stream in parts of any length. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(lineEnd);
    while (end < 0) {
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
      end = this.#rest.indexOf(lineEnd);
    }
    const line = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async bytes(length: number): Promise<Buffer> {
    const chunks = [this.#rest];
    for (let have = this.#rest.length; have < length; ) {
      const chunk = await this.#next();
      chunks.push(chunk);
      have += chunk.length;
    }
    const all = chunks.length === 1 ? this.#rest : Buffer.concat(chunks);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  async #next(): Promise<Buffer> {
    const next = await this.#chunks.next();
    if (next.done === true) {
      throw new Error('git cat-file ended early');
    }
    return next.value;
  }
}
