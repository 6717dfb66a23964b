import { computed, signal } from '@preact/signals';
import {
  type FoldKind,
  foldKinds,
  mostSavedFolds,
  noFolds,
  type SavedFolds,
} from '../shared/transcript/savedFolds';

/**
 * Which foldable parts are open. A part is known by its entry's index and a name within the entry,
 * so it stays as it was left while its row is scrolled out and gone.
 */
export class Folds {
  readonly #choices = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #kinds = signal<SavedFolds['kinds']>({});
  readonly #opened = signal<number | undefined>(undefined);

  /** What brings all of this back. */
  readonly saved = computed(
    (): SavedFolds => ({
      kinds: this.#kinds.value,
      parts: [...this.#choices.value].slice(-mostSavedFolds),
    }),
  );

  constructor({ kinds, parts }: SavedFolds = noFolds) {
    this.#kinds.value = kinds;
    this.#choices.value = new Map(parts);
  }

  /** `normally`: how the part stands as long as nobody has touched it. */
  isOpen(index: number, part: string, normally: boolean): boolean {
    const choice = this.#choices.value.get(`${index}:${part}`);
    if (choice !== undefined) {
      return choice;
    }
    if (this.#opened.value === index) {
      return true;
    }
    const kind = kindOf(part);
    return (kind && this.#kinds.value[kind]) ?? normally;
  }

  set(index: number, part: string, open: boolean): void {
    const choices = new Map(this.#choices.value);
    // To the end, so that what was touched last is forgotten last.
    choices.delete(`${index}:${part}`);
    this.#choices.value = choices.set(`${index}:${part}`, open);
  }

  /** Opens or closes every part of a kind, those of entries to come as well; each can be changed again on its own. */
  setAll(kind: FoldKind | 'all', open: boolean): void {
    const kinds = kind === 'all' ? foldKinds : [kind];
    const changed = Object.fromEntries(kinds.map((each) => [each, open]));
    this.#kinds.value = { ...this.#kinds.value, ...changed };
    this.#opened.value = undefined;
    this.#choices.value =
      kind === 'all'
        ? new Map()
        : new Map([...this.#choices.value].filter(([part]) => kindOf(nameOf(part)) !== kind));
  }

  /** Opens the parts of one entry that nobody has touched, so that what was found in it can be seen. */
  openAllOf(index: number | undefined): void {
    this.#opened.value = index;
  }
}

function nameOf(part: string): string {
  return part.slice(part.indexOf(':') + 1);
}

const toolPart = /^(?:tool|run|runCall|rawInput|rawOutput|diff\.\d+)$/;
/** Texts that are shown in part because they are long: folded and unfolded one by one only. */
const longText = /:(?:code|long)$|^prompt$|^terminal\./;

function kindOf(part: string): FoldKind | undefined {
  if (longText.test(part)) {
    return undefined;
  }
  if (part === 'thought') {
    return 'thought';
  }
  return toolPart.test(part) ? 'tool' : 'other';
}
