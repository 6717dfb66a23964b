import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { NoCheckpoint } from './checkpoints';

/** How much is recorded of one folder. */
export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** Says that there is more to record than allowed. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';

  constructor(readonly reason: Extract<NoCheckpoint, 'tooManyFiles' | 'tooManyBytes'>) {
    super(reason);
  }
}

const atOnce = 64;

/** The amount that is recorded already. */
export function getAmount(entries: readonly { readonly size: number }[]): Amount {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  return { files: entries.length, bytes };
}

/** Throws `TooMuch` if it is more than the limit. */
export function checkAmount({ files, bytes }: Amount, limit: Amount): void {
  if (files > limit.files) {
    throw new TooMuch('tooManyFiles');
  }
  if (bytes > limit.bytes) {
    throw new TooMuch('tooManyBytes');
  }
}

/**
 * Adds up the files of a listing (names with a zero after each, relative to `top`), and rejects with `TooMuch` as soon
 * as there are too many. `watch` gets each name.
 */
export async function measure(
  listing: Readable,
  top: string,
  { already, limit }: { readonly already: Amount; readonly limit: Amount },
  watch: (name: Buffer) => void,
): Promise<Amount> {
  let { files, bytes } = already;
  let waiting: Buffer[] = [];
  const look = async (): Promise<void> => {
    const sizes = await Promise.all(waiting.map((name) => getSize(top, name)));
    waiting = [];
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    checkAmount({ files, bytes }, limit);
  };
  for await (const name of zeroEnded(listing)) {
    watch(name);
    files++;
    waiting.push(name);
    if (waiting.length === atOnce) {
      await look();
    }
  }
  await look();
  return { files, bytes };
}

/** The parts of a stream, each of which ends with a zero. */
async function* zeroEnded(stream: Readable): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** 0 if it isn't a file; nested repositories are listed as folders. */
async function getSize(top: string, name: Buffer): Promise<number> {
  try {
    const facts = await lstat(Buffer.concat([Buffer.from(`${top}${path.sep}`), name]));
    return facts.isFile() ? facts.size : 0;
  } catch {
    return 0;
  }
}
