import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { withoutBulk } from '../../../model/transcript/letGo';
import type { NestedEntries } from '../../../model/transcript/shownTranscript';
import type { Entry } from '../../../shared/transcript/entries';
import { cachedEntry, readCachedEntry } from './cachedEntry';
import { Slices } from './slices';

/**
 * A cached transcript: a line that says whose it is, then blocks of consecutive entries, each compressed on its own, so
 * that the newest entries can be read first and new ones are appended. The format has a version, which rises with it.
 */
const version = 1;

/** Bytes of a file; a transcript that needs more isn't cached. */
export const maxFileBytes = 64 * 1024 * 1024;
/** UTF-16 units of entries in a block, before it is compressed: it is worked on in one task. */
const blockUnits = 128 * 1024;
/** UTF-16 units of one entry; a larger one loses its bulk. */
const maxEntryUnits = 16 * 1024 * 1024;
/** Bytes that a block may have once it is inflated; with one such entry, which may not be ASCII. */
const maxBlockBytes = 64 * 1024 * 1024;
/** Entries of a transcript. */
const maxEntries = 2_000_000;
/** Bytes before each block: its length, the number of its entries, and the beginning of its hash. */
const headBytes = 16;
const hashBytes = 8;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** The session whose transcript a file has. */
export interface CachedOf {
  readonly agentId: string;
  /** See `programOf`. */
  readonly program: string;
  readonly sessionId: string;
  readonly cwd: string;
}

export interface Block {
  readonly count: number;
  readonly hash: Buffer;
  /** The place of the block's data in the file. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function getHeader({ agentId, program, sessionId, cwd }: CachedOf): Buffer {
  return Buffer.from(`${JSON.stringify([version, agentId, program, sessionId, cwd])}\n`);
}

/** The blocks of a file of this session; `undefined` if it is of another one or version, or damaged. */
export function blocksIn(file: Buffer, of: CachedOf): readonly Block[] | undefined {
  const header = getHeader(of);
  if (!file.subarray(0, header.length).equals(header)) {
    return undefined;
  }
  const blocks: Block[] = [];
  let entries = 0;
  let start = header.length + headBytes;
  while (start <= file.length) {
    const head = start - headBytes;
    const end = start + file.readUInt32LE(head);
    const count = file.readUInt32LE(head + 4);
    entries += count;
    if (end > file.length || count === 0 || entries > maxEntries) {
      return undefined;
    }
    // A copy: the hash is kept longer than the file.
    const hash = Buffer.from(file.subarray(start - hashBytes, start));
    blocks.push({ count, hash, start, end });
    start = end + headBytes;
  }
  // Nothing may follow the last block.
  return blocks.length > 0 && start === file.length + headBytes ? blocks : undefined;
}

/** Reads the entries of a block into `entries`, from `at` on. Rejects if it is damaged. */
export async function readBlock(
  file: Buffer,
  { count, hash, start, end }: Block,
  into: { readonly entries: Entry[]; readonly nested: NestedEntries },
  slices: Slices,
): Promise<void> {
  const data = await expand(file.subarray(start, end), { maxOutputLength: maxBlockBytes });
  const lines = data.toString('utf8').split('\n');
  if (lines.length !== count || !hash.equals(computeHash(data))) {
    throw new Error('damaged');
  }
  for (const line of lines) {
    into.entries.push(readCachedEntry(JSON.parse(line), into.entries, into.nested));
    if (slices.isOver) {
      await slices.rest();
    }
  }
}

/** A block of a transcript that is open. */
export interface OwnBlock extends Block {
  /** The index after its last entry in the transcript, which may have entries that aren't cached. */
  readonly until: number;
  /** Otherwise it is written again with what follows, so that it doesn't stay small. */
  readonly isFull: boolean;
}

/** What makes a file into that of the current transcript. */
export interface Writing {
  /** All blocks that it has then. */
  readonly blocks: readonly OwnBlock[];
  /** The bytes of the file that stay; what follows them is replaced. */
  readonly kept: number;
  readonly added: readonly Buffer[];
}

/**
 * What is to be written so that a file holds these entries. Its blocks stay as far as their entries are the same:
 * `known` ones without a look at them. `undefined` if `isOff` says that it is to be done another time, or if it is too much.
 */
export async function planWriting(
  entries: readonly Entry[],
  header: Buffer,
  file: { readonly blocks: readonly Block[]; readonly known: readonly OwnBlock[] },
  isOff: () => boolean,
  maxBytes = maxFileBytes,
): Promise<Writing | undefined> {
  const blocks = [...file.known];
  const added: Buffer[] = [];
  const slices = new Slices();
  let end = blocks.at(-1)?.end ?? header.length;
  let kept = end;
  let index = blocks.at(-1)?.until ?? 0;
  while (index < entries.length) {
    const { lines, until, isFull } = await nextLines(entries, index, slices);
    const last = blocks.at(-1);
    if (lines.length === 0) {
      // Nothing but what isn't cached.
      if (last !== undefined) {
        blocks[blocks.length - 1] = { ...last, until };
      }
      break;
    }
    const data = Buffer.from(lines.join('\n'));
    const hash = computeHash(data);
    const old = added.length === 0 ? file.blocks[blocks.length] : undefined;
    if (old?.hash.equals(hash) && old.count === lines.length) {
      blocks.push({ ...old, until, isFull });
      kept = end = old.end;
    } else {
      const block = await compress(data);
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(block.length, 0);
      head.writeUInt32LE(lines.length, 4);
      hash.copy(head, headBytes - hashBytes);
      const start = end + headBytes;
      end = start + block.length;
      blocks.push({ count: lines.length, hash, start, end, until, isFull });
      added.push(head, block);
    }
    index = until;
    if (end > maxBytes || isOff()) {
      return undefined;
    }
  }
  return { blocks, kept, added };
}

async function nextLines(
  entries: readonly Entry[],
  from: number,
  slices: Slices,
): Promise<{
  readonly lines: readonly string[];
  readonly until: number;
  readonly isFull: boolean;
}> {
  const lines: string[] = [];
  let units = 0;
  let index = from;
  for (; index < entries.length && units < blockUnits; index++) {
    const line = findLine(entries, index);
    if (line !== undefined) {
      lines.push(line);
      units += line.length;
    }
    if (slices.isOver) {
      await slices.rest();
    }
  }
  return { lines, until: index, isFull: units >= blockUnits };
}

function findLine(entries: readonly Entry[], index: number): string | undefined {
  const line = JSON.stringify(cachedEntry(entries, index)) as string | undefined;
  const entry = entries[index];
  return line === undefined || entry === undefined || line.length <= maxEntryUnits
    ? line
    : lighter(entry);
}

function lighter(entry: Entry): string {
  const light = JSON.stringify(cachedEntry([withoutBulk(entry)], 0));
  return light.length <= maxEntryUnits ? light : '[]';
}

function computeHash(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest().subarray(0, hashBytes);
}
