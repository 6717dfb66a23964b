/** Something that the extension keeps on this machine and the user can delete. */
export interface StoredKind {
  /** Names it in keybindings and links. */
  readonly id: string;
  readonly label: string;
  /** What is deleted, or what it means that it is gone. */
  readonly detail: string;
  /** Bytes on disk; `undefined` if there is no telling. */
  size(): Promise<number | undefined>;
  /** Deletes all of it; rejects if that fails. */
  clear(): Promise<void>;
}

/** What "Clear Stored Data…" can delete. Features provide what they keep. */
export class StoredData {
  readonly #kinds: StoredKind[] = [];

  /** In the order in which they were provided. */
  get all(): readonly StoredKind[] {
    return this.#kinds;
  }

  provide(kind: StoredKind): void {
    this.#kinds.push(kind);
  }
}
