import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { asArray, asString, parseJson } from '../../util/json';
import { FolderOfTexts } from './storedTexts';

/** Number of answers beyond which the oldest are forgotten. */
const maxAnswers = 200;
/** A larger file isn't an answer. */
const maxBytes = 256 * 1024;

/**
 * What the user has answered to questions of one kind, in all windows that share the folder. Each answer is a file of its
 * own, so windows that answer at once lose nothing of each other's.
 */
export class Consents {
  readonly #texts: FolderOfTexts;

  constructor(folder: string) {
    this.#texts = new FolderOfTexts(folder, maxBytes);
  }

  /** The answer that was kept about exactly this; `undefined` if there is none that can be read. Never rejects. */
  async get(about: string): Promise<string | undefined> {
    const text = await this.#texts.read(getName(about));
    const [key, answer] = asArray(parseJson(text)).map(asString);
    return key === about ? answer : undefined;
  }

  /** Replaces what was answered before. Never rejects: an answer that can't be kept is asked for again. */
  async set(about: string, answer: string): Promise<void> {
    try {
      await this.#texts.write(getName(about), JSON.stringify([about, answer]));
      await this.#forgetOldest();
    } catch {
      // The next question about it is the message.
    }
  }

  /** Forgets all answers. */
  async clear(): Promise<void> {
    await this.#remove(await this.#texts.names());
  }

  async #forgetOldest(): Promise<void> {
    const names = await this.#texts.names();
    if (names.length <= maxAnswers) {
      return;
    }
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(this.#texts.getFile(name))).mtimeMs })),
    );
    aged.sort((a, b) => b.at - a.at);
    await this.#remove(aged.slice(maxAnswers).map(({ name }) => name));
  }

  async #remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#texts.remove(name)));
  }
}

function getName(about: string): string {
  return createHash('sha256').update(about).digest('hex');
}
