import { signal } from '@preact/signals';

/**
 * Which foldable parts are open. A part is known by its entry's index and a name within the entry,
 * so it stays as it was left while its row is scrolled out and gone.
 */
export class Folds {
  readonly #choices = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #allFolded = signal(false);
  readonly #opened = signal<number | undefined>(undefined);

  /** `normally`: how the part stands as long as nobody has touched it. */
  isOpen(index: number, part: string, normally: boolean): boolean {
    const choice = this.#choices.value.get(`${index}:${part}`);
    if (choice !== undefined) {
      return choice;
    }
    if (this.#opened.value === index) {
      return true;
    }
    return normally && !this.#allFolded.value;
  }

  set(index: number, part: string, open: boolean): void {
    this.#choices.value = new Map(this.#choices.value).set(`${index}:${part}`, open);
  }

  /** Folds every part of every entry; each can be opened again on its own. */
  foldAll(): void {
    this.#choices.value = new Map();
    this.#allFolded.value = true;
    this.#opened.value = undefined;
  }

  /** Opens the parts of one entry that nobody has touched, so that what was found in it can be seen. */
  openAllOf(index: number | undefined): void {
    this.#opened.value = index;
  }
}
