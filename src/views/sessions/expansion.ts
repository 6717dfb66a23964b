import type { KeyedStorage } from '../../model/ports';
import { StoredMap, storedState } from '../../platform/storage/storedState';

/** Remembers by ID which nodes the user expanded or collapsed; all others have their default state. */
export class Expansion {
  readonly #expanded: StoredMap<boolean>;

  constructor(memento: KeyedStorage) {
    this.#expanded = new StoredMap(memento, storedState.expansion);
  }

  isExpanded(id: string, byDefault: boolean): boolean {
    return this.#expanded.get(id) ?? byDefault;
  }

  remember(id: string, expanded: boolean): void {
    this.#expanded.set(id, expanded);
  }
}
