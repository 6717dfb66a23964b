import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../../model/files/regularFile';
import { replaceFile } from '../../model/files/wholeFiles';
import { asArray, asString, parseJson } from '../../util/json';

/** Beyond this number, the oldest answers are forgotten. */
const mostAnswers = 200;
/** A larger file isn't ours. */
const mostBytes = 256 * 1024;
const ownName = /^[\da-f]{64}\.json$/;

/**
 * What the user has answered to questions of one kind, in all windows that share the folder. Each answer is a file of its
 * own, so windows that answer at once lose nothing of each other's.
 */
export class Consents {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The answer that was kept about exactly this; `undefined` if there is none that can be read. Never rejects. */
  async get(about: string): Promise<string | undefined> {
    const text = await readRegularFile(this.#fileOf(about), {
      maxBytes: mostBytes,
      follows: false,
    }).then(String, () => '');
    const [key, answer] = asArray(parseJson(text)).map(asString);
    return key === about ? answer : undefined;
  }

  /** Replaces what was answered before. Never rejects: an answer that can't be kept is asked for again. */
  async set(about: string, answer: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await replaceFile(this.#fileOf(about), JSON.stringify([about, answer]));
      await this.#forgetOldest();
    } catch {
      // The next question about it is the message.
    }
  }

  /** Forgets all answers. */
  async clear(): Promise<void> {
    await this.#remove(await this.#names());
  }

  async #forgetOldest(): Promise<void> {
    const names = await this.#names();
    if (names.length <= mostAnswers) {
      return;
    }
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(this.#pathOf(name))).mtimeMs })),
    );
    aged.sort((a, b) => b.at - a.at);
    await this.#remove(aged.slice(mostAnswers).map(({ name }) => name));
  }

  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => ownName.test(name));
  }

  async #remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(this.#pathOf(name), { force: true })));
  }

  #fileOf(about: string): string {
    return this.#pathOf(`${createHash('sha256').update(about).digest('hex')}.json`);
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}
