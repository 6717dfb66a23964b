import { isDeepStrictEqual } from 'node:util';
import type { KeyedStorage } from '../../model/ports';

/** Number of tries: more would be needed only while windows change the same value again and again. */
const maxTries = 5;

/**
 * The state that all windows share. VS Code sends a window back what it has stored, as one value with all keys, and that
 * takes the place of what the window has changed since: a change that comes just then is lost, though its promise
 * resolves (https://github.com/microsoft/vscode/issues/137132). Here it is made again until it is there, and can be read
 * meanwhile.
 */
export class SharedState implements KeyedStorage {
  readonly #memento: KeyedStorage;
  readonly #changing = new Map<string, { readonly value: unknown }>();

  constructor(memento: KeyedStorage) {
    this.#memento = memento;
  }

  get(key: string): unknown {
    const changing = this.#changing.get(key);
    return changing === undefined ? this.#memento.get(key) : changing.value;
  }

  async update(key: string, value: unknown): Promise<void> {
    const own = { value: makeCopy(value) };
    this.#changing.set(key, own);
    const isNewest = (): boolean => this.#changing.get(key) === own;
    try {
      for (let tries = 0; tries < maxTries && isNewest(); tries++) {
        await this.#memento.update(key, own.value);
        if (isDeepStrictEqual(this.#memento.get(key), own.value)) {
          return;
        }
      }
    } finally {
      if (isNewest()) {
        this.#changing.delete(key);
      }
    }
  }
}

/** A copy as it is stored. */
function makeCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
