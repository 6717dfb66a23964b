import { createHash } from 'node:crypto';

export type ObjectFormat = 'sha1' | 'sha256';

/** An entry of an index file. */
export interface IndexEntry {
  /** The start of the entry in the file. */
  readonly at: number;
  readonly mode: number;
  /** The size of the file on the disk, modulo 2³²; 0 if Git has to compare the contents. */
  readonly size: number;
  readonly id: string;
  /** A string whose units are bytes. */
  readonly name: string;
}

const headLength = 12;
/** Bytes before the object's id: two times, then device, inode, mode, user, group and size. */
const factsLength = 40;
const modeAt = 24;
const sizeAt = 36;
const isExtended = 0x4000;
const isAssumedUnchanged = 0x8000;
export const gitlink = 0o160000;

/**
 * The entries of an index file of version 2 or 3. `undefined` if it is something else, or damaged.
 * Several entries of one name, from a merge, are all listed.
 */
export function readIndex(file: Buffer, format: ObjectFormat): readonly IndexEntry[] | undefined {
  const idLength = getIdLength(format);
  const version = file.length < headLength + idLength ? 0 : file.readUInt32BE(4);
  if (file.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) {
    return undefined;
  }
  const count = file.readUInt32BE(8);
  const end = file.length - idLength;
  const entries: IndexEntry[] = [];
  let at = headLength;
  while (entries.length < count) {
    const flagsAt = at + factsLength + idLength;
    if (flagsAt + 2 > end) {
      return undefined;
    }
    const hasMore = (file.readUInt16BE(flagsAt) & isExtended) !== 0;
    const nameAt = flagsAt + (hasMore ? 4 : 2);
    const nameEnd = file.indexOf(0, nameAt);
    if (nameEnd < 0 || nameEnd >= end) {
      return undefined;
    }
    entries.push({
      at,
      mode: file.readUInt32BE(at + modeAt),
      size: file.readUInt32BE(at + sizeAt),
      id: file.toString('hex', at + factsLength, flagsAt),
      name: file.toString('latin1', nameAt, nameEnd),
    });
    // Padded with one to eight zeros.
    at += (nameEnd - at + 8) & ~7;
  }
  return entries;
}

/**
 * Makes git look at all files: also at those that the user told it not to look at, and at the content of those for
 * which `isDoubtful` returns true. Changes the bytes of the file.
 */
export function distrust(
  file: Buffer,
  entries: readonly IndexEntry[],
  format: ObjectFormat,
  isDoubtful: (entry: IndexEntry) => boolean,
): void {
  const idLength = getIdLength(format);
  for (const entry of entries) {
    const flagsAt = entry.at + factsLength + idLength;
    file.writeUInt16BE(file.readUInt16BE(flagsAt) & ~isAssumedUnchanged, flagsAt);
    if (isDoubtful(entry)) {
      // As git itself does it, for files that have changed within one tick of the clock.
      file.writeUInt32BE(0, entry.at + sizeAt);
    }
  }
  const end = file.length - idLength;
  createHash(format).update(file.subarray(0, end)).digest().copy(file, end);
}

function getIdLength(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32;
}
