import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { Placement } from './placement';
import { UnpackError } from './unpackError';

/** The systems whose archives have modes of files: Unix and macOS. */
const withModes: readonly number[] = [3, 19];
const kindMask = 0o170000;
const kinds = { folder: 0o040000, file: 0o100000, link: 0o120000 };
/** Bytes of a link's target. */
const maxTargetBytes = 4000;

/** Places the entries of a zip archive, by its directory. */
export async function placeZip(file: string, placement: Placement): Promise<void> {
  // It checks the names, that the parts lie inside of the archive, and that files are as large as they say.
  const zip = await openPromise(file, { autoClose: false, decodeStrings: true });
  try {
    for await (const entry of zip.eachEntry()) {
      await placeEntry(entry, zip, placement);
    }
  } finally {
    zip.close();
  }
}

async function placeEntry(entry: Entry, zip: ZipFile, placement: Placement): Promise<void> {
  const { fileName } = entry;
  const system = entry.versionMadeBy >>> 8;
  const mode = withModes.includes(system) ? entry.externalFileAttributes >>> 16 : 0;
  const kind = mode & kindMask;
  if (entry.isEncrypted() || !entry.canDecodeFileData()) {
    throw new UnpackError('broken', `“${fileName}” is encrypted, or packed in an unknown way`);
  }
  if (fileName.endsWith('/') && (kind === 0 || kind === kinds.folder)) {
    await placement.folder(fileName);
  } else if (kind === 0 || kind === kinds.file) {
    await placement.file(fileName, mode, getContent(entry, zip));
  } else if (kind === kinds.link && entry.uncompressedSize <= maxTargetBytes) {
    const parts = [];
    for await (const part of getContent(entry, zip)) {
      parts.push(part);
    }
    await placement.link(fileName, Buffer.concat(parts).toString('utf8'));
  } else {
    throw new UnpackError('unsafe', `“${fileName}” is no file (mode ${mode.toString(8)})`);
  }
}

async function* getContent(entry: Entry, zip: ZipFile): AsyncGenerator<Uint8Array> {
  const content = await zip.openReadStreamPromise(entry);
  let sum = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    sum = crc32(part, sum);
    yield part;
  }
  if (sum !== entry.crc32) {
    throw new UnpackError('broken', `“${entry.fileName}” has another checksum`);
  }
}
