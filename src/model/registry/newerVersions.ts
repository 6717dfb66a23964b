import { Emitter } from '../../util/emitter';
import { isObject } from '../../util/json';
import type { KeyedStorage } from '../ports';
import type { StartCommand } from './setUpAgents';

export const newerVersionsKey = 'registry.newer';

/**
 * The versions of the registry that are newer than those in the settings, as of the last time that the user looked
 * into the registry: by the program or the argument that names the old one, so that each mark goes with its version.
 */
export class NewerVersions {
  readonly #storage: KeyedStorage;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(storage: KeyedStorage) {
    this.#storage = storage;
  }

  /** The newer version of an agent that is started with this program, or with these arguments. */
  of({ command, args }: StartCommand): string | undefined {
    const stored = this.#storage.get(newerVersionsKey);
    const known = isObject(stored) ? stored : {};
    return [command, ...args]
      .filter((arg) => Object.hasOwn(known, arg))
      .map((arg) => known[arg])
      .find((value) => typeof value === 'string');
  }

  /** Replaces what is known. */
  async set(versions: Readonly<Record<string, string>>): Promise<void> {
    if (JSON.stringify(this.#storage.get(newerVersionsKey) ?? {}) !== JSON.stringify(versions)) {
      await this.#storage.update(newerVersionsKey, versions);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
