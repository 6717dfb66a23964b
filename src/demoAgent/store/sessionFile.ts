import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { getLines } from '../wire/connection';
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

/** The last `meta` line of a file of this size, in bytes. */
export interface MetaScan {
  readonly meta: SessionMeta;
  readonly size: number;
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
  const chunks = createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
  for await (const lines of getLines(chunks)) {
    yield lines.map(parseUpdate).filter((update) => update !== undefined);
  }
}

/**
 * A session's latest metadata, read from the end of its file, unless the file has the size that it had when `known` was
 * read. `undefined` if the file has no complete `meta` line.
 */
export async function readMeta(file: string, known?: MetaScan): Promise<MetaScan | undefined> {
  const { size } = await stat(file);
  if (known?.size === size) {
    return known;
  }
  const handle = await open(file, 'r');
  try {
    for (let window = firstWindow; ; window *= 4) {
      const start = Math.max(0, size - window);
      const bytes = Buffer.alloc(size - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      const meta = lastMetaIn(bytes.subarray(0, bytesRead), start === 0);
      if (meta !== undefined || start === 0) {
        return meta && { meta, size };
      }
    }
  } finally {
    await handle.close();
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
