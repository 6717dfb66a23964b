import { Emitter } from '../../util/emitter';
import { isObject } from '../../util/json';
import type { KeyedStorage } from '../ports';

/** How an agent of the settings is started. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const newerVersionsKey = 'registry.newer';
export const iconsKey = 'registry.icons';

/**
 * What the registry says of the agents in the settings, as of when the user last looked into it: by the
 * program or the argument that names the version, so that each fact goes with its version.
 */
export class RegistryFacts {
  readonly #storage: KeyedStorage;
  readonly #key: string;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(storage: KeyedStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** The fact about an agent that is started with this program, or with these arguments. */
  of({ command, args }: StartCommand): string | undefined {
    const stored = this.#storage.get(this.#key);
    const known = isObject(stored) ? stored : {};
    return [command, ...args]
      .filter((arg) => Object.hasOwn(known, arg))
      .map((arg) => known[arg])
      .find((value) => typeof value === 'string');
  }

  /** Replaces what is known. */
  async set(facts: Readonly<Record<string, string>>): Promise<void> {
    if (JSON.stringify(this.#storage.get(this.#key) ?? {}) !== JSON.stringify(facts)) {
      await this.#storage.update(this.#key, facts);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
