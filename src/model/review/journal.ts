import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { inSequence } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { type JournalLine, journalBounds, readLine, writeLine } from './journalLines';

const chunkBytes = 1024 * 1024;
const lineEnd = 0x0a;
/** Windows doesn't have it. */
const noLinks = (constants.O_NOFOLLOW as number | undefined) ?? 0;

/**
 * The lines of a session's record on the disk. Each window appends to the same file, in one write
 * for each line, and reads what others have appended. The order of the lines is the order of what
 * happened.
 */
export class Journal implements Disposable {
  readonly #file: string;
  readonly #onLines: (lines: readonly JournalLine[]) => void;
  /** Bytes that were read, up to the end of the last whole line. */
  #read = 0;
  readonly #one = inSequence();
  #lines = 0;
  #isNewer = false;
  #reading: Promise<void> | undefined;
  /** How often it was asked for. */
  #asked = 0;
  #watcher: FSWatcher | undefined;

  /** `onLines` gets each line once, in the file's order, those of this window too. */
  constructor(folder: string, onLines: (lines: readonly JournalLine[]) => void) {
    this.#file = path.join(folder, 'journal.ndjson');
    this.#onLines = onLines;
  }

  /** A later version of the extension has written it: it is left alone. */
  get isNewer(): boolean {
    return this.#isNewer;
  }

  /** No more fits. */
  get isFull(): boolean {
    return this.#read >= journalBounds.bytes || this.#lines >= journalBounds.lines;
  }

  /** Reads what was appended since the last time. */
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
      if (this.isFull || this.#isNewer || texts.some((text) => text === undefined)) {
        return false;
      }
      await mkdir(path.dirname(this.#file), { recursive: true });
      const handle = await open(this.#file, 'a', 0o600);
      try {
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
        const handle = await open(this.#file, constants.O_RDONLY | noLinks).catch(noFile);
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
    if (handle === undefined || !(await handle.stat()).isFile()) {
      return;
    }
    let rest: Buffer[] = [];
    let restBytes = 0;
    let at = this.#read;
    while (!this.isFull && !this.#isNewer && at < journalBounds.bytes) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, at);
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
      const whole = Buffer.concat([...rest, chunk.subarray(first, last)]);
      rest = [Buffer.from(chunk.subarray(last + 1, bytesRead))];
      restBytes = bytesRead - last - 1;
      this.#read = at - restBytes;
      this.#take(whole);
    }
  }

  #take(bytes: Buffer): void {
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
      this.#onLines(lines);
    }
  }
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
