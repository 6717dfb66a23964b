import { computed, signal } from '@preact/signals';
import {
  type FoldKind,
  foldKinds,
  maxSavedFolds,
  noFolds,
  type SavedFolds,
} from '../../shared/transcript/savedFolds';

/**
 * Which foldable parts are open. A part is identified by its entry's index and a name within the
 * entry, so its state survives its row being scrolled out of the DOM.
 */
export class Folds {
  readonly #choices = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #kinds = signal<SavedFolds['kinds']>({});
  readonly #opened = signal<number | undefined>(undefined);

  /** The state to persist. */
  readonly saved = computed(
    (): SavedFolds => ({
      kinds: this.#kinds.value,
      parts: [...this.#choices.value].slice(-maxSavedFolds),
    }),
  );

  constructor({ kinds, parts }: SavedFolds = noFolds) {
    this.#kinds.value = kinds;
    this.#choices.value = new Map(parts);
  }

  /** `normally`: the part's default state, which applies until the user toggles it. */
  isOpen(index: number, part: string, normally: boolean): boolean {
    const choice = this.#choices.value.get(`${index}:${part}`);
    if (choice !== undefined) {
      return choice;
    }
    if (this.#opened.value === index) {
      return true;
    }
    const kind = findKind(part);
    return (kind && this.#kinds.value[kind]) ?? normally;
  }

  set(index: number, part: string, open: boolean): void {
    const choices = new Map(this.#choices.value);
    // Move it to the end, so that the most recently toggled parts are the last to be dropped.
    choices.delete(`${index}:${part}`);
    this.#choices.value = choices.set(`${index}:${part}`, open);
  }

  /**
   * Opens or closes all parts of a kind, including those of later entries; each can still be
   * toggled individually.
   */
  setAll(kind: FoldKind | 'all', open: boolean): void {
    const kinds = kind === 'all' ? foldKinds : [kind];
    const changed = Object.fromEntries(kinds.map((each) => [each, open]));
    this.#kinds.value = { ...this.#kinds.value, ...changed };
    this.#opened.value = undefined;
    this.#choices.value =
      kind === 'all'
        ? new Map()
        : new Map([...this.#choices.value].filter(([part]) => findKind(getName(part)) !== kind));
  }

  /** Opens the parts of one entry that the user hasn't toggled, so that a match in it becomes visible. */
  openAll(index: number | undefined): void {
    this.#opened.value = index;
  }
}

function getName(part: string): string {
  return part.slice(part.indexOf(':') + 1);
}

const toolPart = /^(?:tool|subagent|run|runCall|rawInput|rawOutput|diff\.\d+)$/;
/** Long texts that are shown in part: they are only folded and unfolded individually. */
const longText = /:(?:code|long)$|^prompt$|^terminal\./;

function findKind(part: string): FoldKind | undefined {
  if (longText.test(part)) {
    return undefined;
  }
  if (part === 'thought') {
    return 'thought';
  }
  return toolPart.test(part) ? 'tool' : 'other';
}
