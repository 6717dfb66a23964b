import type { Memento } from 'vscode';

const key = 'sessions.expansion';
/** Beyond this number, the oldest entries are dropped. */
const mostRemembered = 200;

/** Remembers by ID which nodes the user expanded or collapsed; all others have their default state. */
export class Expansion {
  readonly #memento: Memento;
  readonly #expanded: Map<string, boolean>;

  constructor(memento: Memento) {
    this.#memento = memento;
    const stored = memento.get<unknown>(key);
    this.#expanded = new Map(Array.isArray(stored) ? stored.filter(isMemory) : []);
  }

  isExpanded(id: string, byDefault: boolean): boolean {
    return this.#expanded.get(id) ?? byDefault;
  }

  remember(id: string, expanded: boolean): void {
    this.#expanded.delete(id);
    this.#expanded.set(id, expanded);
    const entries = [...this.#expanded].slice(-mostRemembered);
    void this.#memento.update(key, entries);
  }
}

function isMemory(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}
