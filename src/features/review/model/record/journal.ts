import { createHash } from 'node:crypto';
import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { inSequence } from '../../../../util/async';
import type { Disposable } from '../../../../util/disposable';
import { type JournalLine, journalBounds, writeLine } from './journalLines';
import { readLine } from './readLine';

/** What is read in one piece: a little more than there is, within these bounds. */
const chunkBytes = { least: 16 * 1024, most: 4 * 1024 * 1024 };
const lineEnd = 0x0a;
/** Windows doesn't have it. */
const noLinks = (constants.O_NOFOLLOW as number | undefined) ?? 0;
/** Pipes don't wait for anyone; Windows doesn't have this either. */
const noWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;
const reading = constants.O_RDONLY | noLinks | noWaiting;
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLinks | noWaiting;

/** An end of a line in a journal, which only ever grows. */
export interface JournalPoint {
  /** What is before it, in bytes and in lines that count. */
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes before a point that tell one journal from another. */
const endBytes = 4096;

/**
 * The lines of a session's record on the disk. Each window appends to the same file, in one write
 * for each line, and reads what others have appended. The order of the lines is the order of what
 * happened.
 */
export class Journal implements Disposable {
  readonly #file: string;
  readonly #onLines: (lines: readonly JournalLine[]) => void | Promise<void>;
  readonly #until: number;
  /** Bytes that were read, up to the end of the last whole line. */
  #read = 0;
  readonly #one = inSequence();
  #lines = 0;
  #isNewer = false;
  #reading: Promise<void> | undefined;
  /** How often it was asked for. */
  #asked = 0;
  #watcher: FSWatcher | undefined;

  /**
   * `onLines` gets each line once, in the file's order, those of this window too. It must not reject. Nothing after
   * `until` is read, which is the `bytes` of a point.
   */
  constructor(
    folder: string,
    onLines: (lines: readonly JournalLine[]) => void | Promise<void>,
    until = journalBounds.bytes,
  ) {
    this.#file = fileIn(folder);
    this.#onLines = onLines;
    this.#until = until;
  }

  /** What was read, when `onLines` has returned. */
  get point(): JournalPoint {
    return { bytes: this.#read, lines: this.#lines };
  }

  /** Reads only what comes after a point; `false` if reading has begun already. */
  startAt({ bytes, lines }: JournalPoint): boolean {
    const isFirst = this.#asked === 0;
    if (isFirst) {
      this.#read = bytes;
      this.#lines = lines;
    }
    return isFirst;
  }

  /** A later version of the extension has written it: it is left alone. */
  get isNewer(): boolean {
    return this.#isNewer;
  }

  /** No more changes fit. */
  get isFull(): boolean {
    const { bytes, lines, reservedBytes, reservedLines } = journalBounds;
    return this.#read >= bytes - reservedBytes || this.#lines >= lines - reservedLines;
  }

  /** Whether nothing fits any more. */
  get #isOver(): boolean {
    return this.#read >= journalBounds.bytes || this.#lines >= journalBounds.lines;
  }

  /** Reads what was appended since it was last read. */
  async catchUp(): Promise<void> {
    this.#asked++;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  /**
   * Appends the lines and reads them back. `isStillRight` is asked right before, when everything that
   * this window has appended is read. Resolves with `false` if it isn't, or they don't fit.
   */
  append(lines: readonly JournalLine[], isStillRight = (): boolean => true): Promise<boolean> {
    return this.#one(async () => {
      const texts = lines.map(writeLine);
      const hasRoom = !(lines.some(({ type }) => type === 'step' || type === 'uncertain')
        ? this.isFull
        : this.#isOver);
      if (!hasRoom || this.#isNewer || texts.some((text) => text === undefined)) {
        return false;
      }
      await mkdir(path.dirname(this.#file), { recursive: true });
      const handle = await open(this.#file, appending, 0o600);
      try {
        if (!(await handle.stat()).isFile()) {
          return false;
        }
        if (!isStillRight()) {
          return false;
        }
        for (const text of texts) {
          await writeWhole(handle, `\n${text}\n`);
        }
        if (lines.some(({ type }) => type === 'intent')) {
          // Files are changed next; everything else may be lost with the power.
          await handle.datasync();
        }
      } finally {
        await handle.close();
      }
      await this.catchUp();
      return true;
    });
  }

  /** Reads on whenever another window appends. */
  watch(): void {
    if (this.#watcher === undefined) {
      try {
        this.#watcher = watch(path.dirname(this.#file), { persistent: false }, () => {
          this.catchUp().catch(() => undefined);
        });
        // The folder may be deleted.
        this.#watcher.on('error', () => undefined);
      } catch {
        // Then each decision looks.
      }
    }
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  async #readAll(): Promise<void> {
    try {
      for (let done = 0; done < this.#asked; ) {
        done = this.#asked;
        const handle = await open(this.#file, reading).catch(noFile);
        try {
          await this.#readOn(handle);
        } finally {
          await handle?.close();
        }
      }
    } finally {
      // At once, so that nobody joins a reading that has just ended.
      this.#reading = undefined;
    }
  }

  async #readOn(handle: FileHandle | undefined): Promise<void> {
    const facts = await handle?.stat();
    if (handle === undefined || !facts?.isFile()) {
      return;
    }
    let rest: Buffer[] = [];
    let restBytes = 0;
    let at = this.#read;
    while (!this.#isOver && !this.#isNewer && at < this.#until) {
      const left = Math.max(chunkBytes.least, facts.size - at + 1);
      const chunk = Buffer.allocUnsafe(Math.min(left, chunkBytes.most, this.#until - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      const last = chunk.subarray(0, bytesRead).lastIndexOf(lineEnd);
      if (bytesRead === 0) {
        return;
      }
      at += bytesRead;
      if (last === -1) {
        restBytes += bytesRead;
        rest = restBytes > journalBounds.lineBytes ? [] : [...rest, chunk.subarray(0, bytesRead)];
        continue;
      }
      const first = restBytes > journalBounds.lineBytes ? chunk.indexOf(lineEnd) : 0;
      const piece = chunk.subarray(first, last);
      const whole = restBytes === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [Buffer.from(chunk.subarray(last + 1, bytesRead))];
      restBytes = bytesRead - last - 1;
      this.#read = at - restBytes;
      await this.#take(whole);
    }
  }

  async #take(bytes: Buffer): Promise<void> {
    const lines: JournalLine[] = [];
    for (let from = 0; from < bytes.length && !this.#isNewer; ) {
      const next = bytes.indexOf(lineEnd, from);
      const end = next === -1 ? bytes.length : next;
      if (end > from && end - from <= journalBounds.lineBytes) {
        const line = readLine(bytes.toString('utf8', from, end));
        if (line === 'newer') {
          this.#isNewer = true;
        } else if (line !== undefined && this.#lines < journalBounds.lines) {
          this.#lines++;
          lines.push(line);
        }
      }
      from = end + 1;
    }
    if (lines.length > 0) {
      await this.#onLines(lines);
    }
  }
}

/** Tells the journal of a folder from another that is as long; `undefined` if it is shorter. */
export async function endOfJournal(folder: string, bytes: number): Promise<string | undefined> {
  const handle = await open(fileIn(folder), reading);
  try {
    const end = Buffer.alloc(Math.min(bytes, endBytes));
    const { bytesRead } = await handle.read(end, 0, end.length, bytes - end.length);
    return bytesRead === end.length ? createHash('sha256').update(end).digest('hex') : undefined;
  } finally {
    await handle.close();
  }
}

function fileIn(folder: string): string {
  return path.join(folder, 'journal.ndjson');
}

/** A write that stops halfway leaves a torn line, which is skipped; so all of it is written again. */
async function writeWhole(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let round = 0; round < 3; round++) {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten === bytes.length) {
      return;
    }
  }
  throw new Error('The journal could not be written');
}

function noFile(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return undefined;
  }
  throw error;
}
