import { constants } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from '../../../model/files/heldFiles';
import { openRegularFile, readEnd } from '../../../model/files/regularFile';
import type { Log } from '../../../model/ports';
import { inSequence } from '../../../util/async';
import { getStack } from '../../../util/getStack';
import { type Cost, readLine, type UsageLine, writeLine } from './usageLine';

/** Files that are kept: those of the latest months. */
export const maxMonths = 13;
/** Bytes of a month, beyond which nothing more of it is counted: about 15,000 turns. */
const monthBytes = 4 * 1024 * 1024;
const noLinks = (constants.O_NOFOLLOW as number | undefined) ?? 0;
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLinks;
const ownName = /^\d{4}-\d{2}\.jsonl$/;

/**
 * What all windows have counted, a file for each month. Windows only append to it, whole lines at once, so that none
 * replaces what another one has written.
 */
export class UsageFiles {
  readonly #folder: string;
  readonly #log: Pick<Log, 'warn'>;
  readonly #maxBytes: number;
  readonly #one = inSequence();
  #hasWarned = false;

  constructor(folder: string, log: Pick<Log, 'warn'>, maxBytes = monthBytes) {
    this.#folder = folder;
    this.#log = log;
    this.#maxBytes = maxBytes;
  }

  /** Never rejects: what can't be kept is in the log, once. */
  add(line: UsageLine): Promise<void> {
    return this.#one(async () => {
      try {
        await this.#append(`${new Date(line.at).toISOString().slice(0, 7)}.jsonl`, writeLine(line));
      } catch (error) {
        const warn = this.#hasWarned ? undefined : this.#log;
        this.#hasWarned = true;
        warn?.warn(`What turns use can’t be kept: ${getStack(error)}`);
      }
    });
  }

  /** The lines of each month, the latest first. Never rejects. */
  async *months(): AsyncGenerator<readonly UsageLine[], void> {
    for await (const text of this.#texts()) {
      yield text.split('\n').flatMap((line) => (line === '' ? [] : (readLine(line) ?? [])));
    }
  }

  /** What a session had cost when its last line was written. */
  async findTotal(session: string): Promise<Cost | undefined> {
    // Most lines are of other sessions, and needn't be parsed to see that.
    const mark = JSON.stringify(session);
    for await (const text of this.#texts()) {
      for (const line of text.split('\n').reverse()) {
        const read = line.includes(mark) ? readLine(line) : undefined;
        if (read?.session === session && read.total !== undefined && read.currency !== undefined) {
          return { amount: read.total, currency: read.currency };
        }
      }
    }
    return undefined;
  }

  /** Deletes everything. */
  clear(): Promise<void> {
    return this.#one(async () => this.#remove(await this.#names()));
  }

  /** The text of each month, the latest first. */
  async *#texts(): AsyncGenerator<string, void> {
    for (const name of (await this.#names()).slice(0, maxMonths)) {
      // Windows that add at the same time may exceed the limit by a few lines; of more, the newest are read.
      const bytes = readEnd(this.#getFile(name), 2 * this.#maxBytes);
      yield await bytes.then(String, () => '');
    }
  }

  async #append(name: string, line: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await openRegularFile(this.#getFile(name), appending);
    try {
      const { size } = await handle.stat();
      // A line that was written in part, because its window ended, doesn't spoil the next one.
      const text = `\n${line}\n`;
      if (size + Buffer.byteLength(text) > this.#maxBytes) {
        throw new Error(`${name} is full`);
      }
      await handle.write(text);
      if (size === 0) {
        await this.#remove((await this.#names()).slice(maxMonths));
      }
    } finally {
      await handle.close();
    }
  }

  /** The latest first. */
  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names
      .filter((name) => ownName.test(name))
      .sort()
      .reverse();
  }

  async #remove(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map((name) => whileHeld(() => rm(this.#getFile(name), { force: true }))),
    );
  }

  #getFile(name: string): string {
    return path.join(this.#folder, name);
  }
}
