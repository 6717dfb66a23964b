import { batch, computed, signal } from '@preact/signals';
import type { FromWebview, ToWebview } from '../../shared/messages';
import type { TranscriptState } from '../state';

interface Result {
  readonly indexes: readonly number[];
  readonly cut: boolean;
}

/** Longest text that is looked for. */
export const longestQuery = 1000;

/**
 * Finding in the whole transcript: the host looks, because it has all of it; what it finds are
 * entries, and the current one is scrolled to.
 */
export class FindState {
  readonly open = signal(false);
  readonly text = signal('');
  readonly matchCase = signal(false);
  /** Absent while the host is looking, and without a text. */
  readonly result = signal<Result | undefined>(undefined);
  /** Place of the current entry among the found ones. */
  readonly position = signal<number | undefined>(undefined);
  /** Counts the times that the input has to take the focus. */
  readonly focus = signal(0);

  /** The entry whose matches stand out. */
  readonly current = computed(() =>
    this.position.value === undefined ? undefined : this.result.value?.indexes[this.position.value],
  );

  readonly #state: TranscriptState;
  readonly #post: (message: FromWebview) => void;
  #query = 0;
  /** Where each search starts: the row that was read when the widget opened, or the one gone to since. */
  #from = 0;

  constructor(state: TranscriptState, post: (message: FromWebview) => void) {
    this.#state = state;
    this.#post = post;
  }

  show(): void {
    batch(() => {
      if (!this.open.peek()) {
        this.open.value = true;
        this.#from = this.#state.current;
        this.refresh();
      }
      this.focus.value += 1;
    });
  }

  hide(): void {
    batch(() => {
      this.open.value = false;
      this.result.value = undefined;
      this.position.value = undefined;
      this.#query += 1;
      this.#state.folds.openAllOf(undefined);
    });
  }

  look(text: string, matchCase: boolean): void {
    batch(() => {
      this.text.value = text.slice(0, longestQuery);
      this.matchCase.value = matchCase;
      this.refresh();
    });
  }

  /** Looks once more, as when more has been loaded. */
  refresh(): void {
    if (!this.open.peek()) {
      return;
    }
    this.#query += 1;
    const text = this.text.peek();
    if (text === '') {
      this.result.value = undefined;
      this.position.value = undefined;
      return;
    }
    this.#post({ type: 'find', query: this.#query, text, matchCase: this.matchCase.peek() });
  }

  receive({ query, indexes, cut }: Extract<ToWebview, { type: 'found' }>): void {
    if (query !== this.#query) {
      return;
    }
    batch(() => {
      const before = this.current.peek();
      this.result.value = { indexes, cut };
      const next = indexes.findIndex((index) => index >= this.#from);
      this.position.value = indexes.length === 0 ? undefined : Math.max(next, 0);
      if (this.current.value !== before) {
        this.#reveal();
      }
    });
  }

  /** Goes to the next or previous found entry, around the ends. */
  step(direction: 1 | -1): void {
    const total = this.result.peek()?.indexes.length ?? 0;
    if (total === 0) {
      return;
    }
    batch(() => {
      const at = this.position.peek();
      this.position.value = at === undefined ? 0 : (at + direction + total) % total;
      this.#from = this.current.value ?? this.#from;
      this.#reveal();
    });
  }

  #reveal(): void {
    const index = this.current.value;
    if (index !== undefined) {
      this.#state.show(index, 'match');
    }
  }
}
