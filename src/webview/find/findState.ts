import { batch, computed, signal } from '@preact/signals';
import { maxMarkedRows, maxMarkedTextLength } from '../../shared/transcript/findMessages';
import { type FindQuery, maxFindQueryLength } from '../../shared/transcript/findQuery';
import type { Questions } from '../../shared/transcript/questions';
import type { FromWebview, ToWebview } from '../../shared/transcript/webviewMessages';
import { escapeRegExp } from '../../util/escapeRegExp';
import type { TranscriptState } from '../state/state';
import {
  type FoundPlaces,
  matchesBefore,
  nothingFound,
  placeFrom,
  withChanges,
} from './foundPlaces';

type Found = Extract<ToWebview, { type: 'found' }>;

export interface Result extends FoundPlaces {
  readonly state: Found['state'];
}

/** A match: its entry and its position among the entry's matches. */
export interface FindMatch {
  readonly index: number;
  readonly match: number;
}

/** A row's drawn text, with the start and end offset of each match in it. */
export interface MarkedText {
  readonly text: string;
  readonly spans: readonly number[];
}

/** The toggles beside the text input. */
export type FindOption = Exclude<keyof FindQuery, 'text'>;

/**
 * Find in the whole transcript. The host searches, because it has all entries, and keeps sending
 * results as the transcript grows. The current match is scrolled into view.
 */
export class FindState {
  readonly open = signal(false);
  readonly search = signal<FindQuery>({
    text: '',
    matchCase: false,
    wholeWord: false,
    isPattern: false,
  });
  /** `undefined` before the host's first answer and while the query is empty. */
  readonly result = signal<Result | undefined>(undefined);
  readonly current = signal<FindMatch | undefined>(undefined);
  /** Indexes of the entries with matches, ascending. */
  readonly found = computed(() => this.result.value?.indexes ?? nothingFound.indexes);
  /** Incremented whenever the current match must be brought into view. */
  readonly gone = signal(0);
  /** Incremented whenever the input must take the focus. */
  readonly focus = signal(0);
  /** Positions of a regular expression's matches in the drawn rows, by entry index. */
  readonly marks = signal<ReadonlyMap<number, MarkedText>>(new Map());

  /** The current match's number among all; `undefined` until the entries before it are counted. */
  readonly position = computed(() => {
    const [result, current] = [this.result.value, this.current.value];
    if (!result || !current || result.state === 'searching') {
      return undefined;
    }
    return matchesBefore(result, placeFrom(result, current.index)) + current.match + 1;
  });

  readonly #state: TranscriptState;
  readonly #post: (message: FromWebview) => void;
  /** The text selected in the transcript. */
  readonly #selected: () => string;
  #query = 0;
  /** The place where each search starts: the current row when the widget opened, or the last match navigated to. */
  #from: FindMatch = { index: 0, match: 0 };
  #asked = new Map<number, string>();
  /** Whether the host hasn't confirmed the current match yet. */
  #isGuess = false;

  constructor(
    state: TranscriptState,
    post: (message: FromWebview) => void,
    selected: () => string = () => '',
  ) {
    this.#state = state;
    this.#post = post;
    this.#selected = selected;
  }

  show(): void {
    batch(() => {
      const selected = this.#selected();
      const isSeed =
        selected !== '' && selected.length <= maxFindQueryLength && !/[\r\n]/.test(selected);
      const search = this.search.peek();
      const text = isSeed && search.isPattern ? escapeRegExp(selected) : selected;
      const isOther = isSeed && text !== search.text && text.length <= maxFindQueryLength;
      if (isOther) {
        this.search.value = { ...search, text };
      }
      if (!this.open.peek()) {
        this.open.value = true;
        this.#from = { index: this.#state.current, match: 0 };
        this.#ask();
      } else if (isOther) {
        this.#ask();
      }
      this.focus.value += 1;
    });
  }

  hide(): void {
    batch(() => {
      this.open.value = false;
      this.#forget();
      this.#end();
      this.#state.folds.openAll(undefined);
    });
  }

  look(text: string): void {
    batch(() => {
      this.search.value = { ...this.search.peek(), text: text.slice(0, maxFindQueryLength) };
      this.#ask();
    });
  }

  toggle(option: FindOption): void {
    batch(() => {
      const search = this.search.peek();
      this.search.value = { ...search, [option]: !search[option] };
      this.#ask();
    });
  }

  receive(message: Found): void {
    if (message.query !== this.#query) {
      return;
    }
    batch(() => {
      const { state, places } = message;
      const isFault = state === 'invalid' || state === 'long' || state === 'slow';
      const before = message.isNew ? undefined : this.result.peek();
      this.result.value = {
        ...(isFault ? nothingFound : withChanges(before ?? nothingFound, places)),
        state,
      };
      this.#settle(message.isNew);
    });
  }

  /**
   * Until the host answers, makes the first of these rows current, provided that the search starts
   * within the viewport.
   */
  guess(rows: readonly number[]): void {
    const { first, last } = this.#state.visible;
    const { index: from, match } = this.#from;
    const index = rows.find((row) => row >= from && row <= last);
    const isWaiting = this.result.peek() === undefined && this.current.peek() === undefined;
    if (isWaiting && from >= first && index !== undefined) {
      this.#isGuess = true;
      this.current.value = { index, match: index === from ? match : 0 };
    }
  }

  /** Goes to the next or previous match, wrapping around. */
  step(direction: 1 | -1): void {
    const result = this.result.peek();
    const current = this.current.peek();
    if (!result || !current) {
      return;
    }
    const { indexes, counts } = result;
    const at = placeFrom(result, current.index);
    const match = current.match + direction;
    if (match >= 0 && match < (counts[at] ?? 0)) {
      this.#goTo({ index: current.index, match });
      return;
    }
    const next = (at + direction + indexes.length) % indexes.length;
    const last = (counts[next] ?? 1) - 1;
    this.#goTo({ index: indexes[next] ?? 0, match: direction === 1 ? 0 : last });
  }

  /** Asks the host for a regular expression's matches in the drawn rows' texts, unless already asked. */
  askForMarks(drawn: ReadonlyMap<number, string>): void {
    const texts = new Map([...drawn].map(([index, text]) => [index, drawnStart(text)]));
    const rows = [...texts]
      .filter(([index, text]) => this.#asked.get(index) !== text)
      .map(([index, text]) => ({ index, text }));
    this.#asked = texts;
    if (rows.length > 0) {
      void this.#mark(rows.slice(0, maxMarkedRows));
    }
  }

  async #mark(asked: Questions['mark']['asked']['rows']): Promise<void> {
    const query = this.#query;
    // Without a reply, the matches are only counted.
    const rows = await this.#state.ask({ type: 'mark', query, rows: asked }).catch(() => []);
    if (query !== this.#query) {
      return;
    }
    const marks = new Map([...this.marks.peek()].filter(([index]) => this.#asked.has(index)));
    for (const { index, spans } of rows) {
      marks.set(index, { text: this.#asked.get(index) ?? '', spans });
    }
    this.marks.value = marks;
  }

  #ask(): void {
    if (!this.open.peek()) {
      return;
    }
    const search = this.search.peek();
    if (search.text === '') {
      this.#forget();
      this.#end();
      return;
    }
    this.#query += 1;
    this.#forgetMarks();
    this.#post({ type: 'find', query: this.#query, from: this.#from.index, search });
  }

  /** Ends the host's search. */
  #end(): void {
    this.#query += 1;
    const search = { ...this.search.peek(), text: '' };
    this.#post({ type: 'find', query: this.#query, from: 0, search });
  }

  #forget(): void {
    this.result.value = undefined;
    this.current.value = undefined;
    this.#isGuess = false;
    this.#forgetMarks();
  }

  #forgetMarks(): void {
    this.#asked.clear();
    this.marks.value = new Map();
  }

  /** Keeps the current match if its entry still has one; otherwise moves on to the next. */
  #settle(isNew: boolean): void {
    const result = this.result.peek() ?? nothingFound;
    const before = this.current.peek();
    const from = isNew || !before ? this.#from : before;
    const at = placeFrom(result, from.index);
    const place = at < result.indexes.length ? at : 0;
    const index = result.indexes[place];
    if (index === undefined) {
      this.current.value = undefined;
      this.#isGuess = false;
      return;
    }
    const last = (result.counts[place] ?? 1) - 1;
    const match = index === from.index ? Math.min(from.match, last) : 0;
    if (this.#isGuess || before?.index !== index || before.match !== match) {
      this.current.value = { index, match };
      this.#reveal(this.#isGuess ? undefined : before?.index);
      this.#isGuess = false;
    }
  }

  #goTo(match: FindMatch): void {
    batch(() => {
      const before = this.current.peek();
      this.current.value = match;
      this.#from = match;
      this.#reveal(before?.index);
    });
  }

  #reveal(before: number | undefined): void {
    const index = this.current.peek()?.index;
    const { first, last } = this.#state.visible;
    this.gone.value += 1;
    if (index !== undefined && (index !== before || index < first || index > last)) {
      this.#state.show(index, 'match');
    }
  }
}

function drawnStart(text: string): string {
  return text.slice(0, maxMarkedTextLength);
}
