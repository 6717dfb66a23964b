import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import { type Deferred, deferred } from '../../../../util/async';
import type { Placement } from './placement';
import { UnpackError } from './unpackError';

/** Bytes of the long names and other facts that precede an entry. */
const maxMetaBytes = 64 * 1024;

/** Places the entries of a tar archive. */
export async function placeTar(
  archive: AsyncIterable<Uint8Array>,
  placement: Placement,
): Promise<void> {
  const parser = new Parser({ strict: true, maxMetaEntrySize: maxMetaBytes });
  const failed = deferred<never>();
  failed.promise.catch(() => undefined);
  let placed: Promise<void> = Promise.resolve();
  parser.on('error', (error: Error) => failed.reject(error));
  // The parser leaves out what it doesn't know, and continues.
  parser.on('ignoredEntry', ({ path, type }: ReadEntry) =>
    failed.reject(new UnpackError('unsafe', `“${path}” is a ${type}`)),
  );
  parser.on('entry', (entry: ReadEntry) => {
    placed = placed.then(() => placeEntry(entry, placement, failed));
    placed.catch((error: unknown) => failed.reject(error));
  });
  try {
    await feed(archive, parser, failed);
    await Promise.race([failed.promise, placed]);
  } catch (error) {
    // Whoever reads an entry that has no end stops, and closes its file.
    failed.reject(error);
    await placed.catch(() => undefined);
    throw error;
  }
}

async function feed(
  archive: AsyncIterable<Uint8Array>,
  parser: Parser,
  failed: Deferred<never>,
): Promise<void> {
  const ended = new Promise<void>((resolve) => void parser.once('end', () => resolve()));
  let isFirst = true;
  for await (const chunk of archive) {
    // The parser would unpack it once more.
    if (isFirst && /^(?:1f8b|28b52ffd)/.test(Buffer.from(chunk.subarray(0, 4)).toString('hex'))) {
      throw new UnpackError('otherKind', 'it is packed twice');
    }
    isFirst = false;
    if (!parser.write(chunk)) {
      const drained = new Promise<void>((resolve) => void parser.once('drain', () => resolve()));
      await Promise.race([failed.promise, drained]);
    }
  }
  parser.end();
  await Promise.race([failed.promise, ended]);
}

async function placeEntry(
  entry: ReadEntry,
  placement: Placement,
  failed: Deferred<never>,
): Promise<void> {
  const { path, linkpath = '', type, mode = 0 } = entry;
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return placement.file(path, mode, getContent(entry, failed));
    case 'Directory':
      await placement.folder(path);
      break;
    case 'SymbolicLink':
      await placement.link(path, linkpath);
      break;
    case 'Link':
      await placement.hardLink(path, linkpath);
      break;
    default:
      throw new UnpackError('unsafe', `“${path}” is a ${type}`);
  }
  entry.resume();
}

async function* getContent(entry: ReadEntry, failed: Deferred<never>): AsyncGenerator<Uint8Array> {
  const parts = (entry as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (;;) {
    const part = await Promise.race([failed.promise, parts.next()]);
    if (part.done === true) {
      return;
    }
    yield part.value;
  }
}
