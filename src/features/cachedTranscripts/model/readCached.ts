import type { CachedEntries, NestedEntries } from '../../../model/transcript/shownTranscript';
import type { Entry } from '../../../shared/transcript/entries';
import { readBlock } from './cacheBlocks';
import { unreadEntry } from './cachedEntry';
import type { CachedFile } from './cacheFiles';
import { Slices } from './slices';

/** Entries that are read before anything is shown. */
const firstEntries = 200;

/** What is shown first: the newest entries, and others that stand for the rest. */
export interface FirstRead {
  readonly file: CachedFile;
  readonly shown: CachedEntries;
  readonly isWhole: boolean;
}

/** Reads the newest entries. Rejects if they are damaged. */
export async function readNewest(file: CachedFile): Promise<FirstRead> {
  const { at, data, blocks } = file;
  let from = blocks.length;
  let count = 0;
  while (from > 0 && count < firstEntries) {
    from -= 1;
    count += blocks[from]?.count ?? 0;
  }
  const before = blocks.slice(0, from).reduce((sum, block) => sum + block.count, 0);
  const entries = new Array<Entry>(before).fill(unreadEntry);
  const nested: NestedEntries = new Map();
  const slices = new Slices();
  for (const block of blocks.slice(from)) {
    await readBlock(data, block, { entries, nested }, slices);
  }
  return { file, shown: { cachedAt: at, entries, nested }, isWhole: from === 0 };
}

/** All entries, unless they aren't wanted any more. */
export async function readWhole(
  { at, data, blocks }: CachedFile,
  isWanted: () => boolean,
): Promise<CachedEntries | undefined> {
  const entries: Entry[] = [];
  const nested: NestedEntries = new Map();
  const slices = new Slices();
  for (const block of blocks) {
    if (!isWanted()) {
      return undefined;
    }
    await readBlock(data, block, { entries, nested }, slices);
  }
  return { cachedAt: at, entries, nested };
}
