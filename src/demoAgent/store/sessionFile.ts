import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises';
import type { DemoUpdate } from '../vocabulary/updates';
import {
  formatRecord,
  metaPrefix,
  parseMeta,
  parseUpdate,
  type SessionMeta,
  type StoredRecord,
} from './records';

/*
 * A session is a file of JSON lines that is only ever appended to. A crash in the middle of a write
 * leaves at most one torn line at the end: readers skip it, and the next append first terminates it
 * with a newline. Nothing is truncated or rewritten, so two processes may append to the same file.
 */

const newline = 0x0a;
const firstWindow = 16 * 1024;

/** The last `meta` line of a file, and how far the file has been read. */
export interface MetaScan {
  readonly meta: SessionMeta;
  readonly size: number;
  /** End of the last complete line: reading continues here when the file has grown. */
  readonly wholeLines: number;
}

/**
 * Creates the file; the `meta` line comes last, so that a half-written file isn't a session. Throws
 * if the file exists.
 */
export async function createSessionFile(
  file: string,
  updates: readonly DemoUpdate[],
  meta: SessionMeta,
): Promise<void> {
  const records: StoredRecord[] = updates.map((update) => ({ type: 'update', update }));
  const text = [...records, { type: 'meta', meta } as const].map(formatRecord).join('');
  await writeFile(file, text, { flag: 'wx', mode: 0o600 });
}

/** Appends complete lines. Rejects with ENOENT if the file has been deleted, and doesn't recreate it. */
export async function appendRecords(file: string, records: readonly StoredRecord[]): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const torn = await endsInsideLine(handle);
    await handle.appendFile((torn ? '\n' : '') + records.map(formatRecord).join(''));
  } finally {
    await handle.close();
  }
}

/** The history, in a batch per read; torn and unknown lines are skipped. */
export async function* readUpdates(file: string): AsyncGenerator<readonly DemoUpdate[]> {
  let rest = Buffer.alloc(0);
  const chunks = createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) {
    const read = Buffer.concat([rest, chunk]);
    const end = read.lastIndexOf(newline) + 1;
    yield updatesIn(read.toString('utf8', 0, end));
    rest = read.subarray(end);
  }
  yield updatesIn(rest.toString('utf8'));
}

/**
 * A session's latest metadata, read from the end of its file. With the result of an earlier read as
 * `known`, only the part appended since is read. `undefined` if the file has no complete `meta`
 * line.
 */
export async function readMeta(file: string, known?: MetaScan): Promise<MetaScan | undefined> {
  const { size } = await stat(file);
  if (known?.size === size) {
    return known;
  }
  const handle = await open(file, 'r');
  try {
    const from = known !== undefined && known.wholeLines <= size ? known.wholeLines : 0;
    const found = await scanBack(handle, from, size);
    const meta = found.meta ?? (from > 0 ? known?.meta : undefined);
    return meta && { meta, size, wholeLines: found.wholeLines };
  } finally {
    await handle.close();
  }
}

async function scanBack(
  handle: FileHandle,
  from: number,
  size: number,
): Promise<{ meta: SessionMeta | undefined; wholeLines: number }> {
  for (let window = firstWindow; ; window *= 4) {
    const start = Math.max(from, size - window);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const read = bytes.subarray(0, bytesRead);
    const meta = lastMetaIn(read, start === from);
    if (meta !== undefined || start === from) {
      const lineEnd = read.lastIndexOf(newline);
      return { meta, wholeLines: lineEnd === -1 ? from : start + lineEnd + 1 };
    }
  }
}

/** JSON contains no raw newlines, so a newline followed by the prefix always starts a `meta` line. */
function lastMetaIn(bytes: Buffer, startsLine: boolean): SessionMeta | undefined {
  let before = bytes.length;
  while (before >= 0) {
    const found = bytes.subarray(0, before).lastIndexOf(`\n${metaPrefix}`);
    if (found === -1 && !startsLine) {
      return undefined;
    }
    const end = bytes.indexOf(newline, found + 1);
    const meta = parseMeta(bytes.toString('utf8', found + 1, end === -1 ? bytes.length : end));
    if (meta !== undefined) {
      return meta;
    }
    before = found;
  }
  return undefined;
}

async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) {
    return false;
  }
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== newline;
}

function updatesIn(text: string): DemoUpdate[] {
  const updates: DemoUpdate[] = [];
  for (const line of text.split('\n')) {
    const update = parseUpdate(line);
    if (update !== undefined) {
      updates.push(update);
    }
  }
  return updates;
}
