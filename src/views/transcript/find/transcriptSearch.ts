import { setImmediate, setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Entry, TranscriptChange } from '../../../shared/transcript/entries';
import type { FindQuery } from '../../../shared/transcript/findQuery';
import type { MarkedRow, Questions } from '../../../shared/transcript/questions';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import type { Disposable } from '../../../util/disposable';
import { FindMatcher, getPieces, type PatternFault, type Piece } from './findMatcher';
import { textsAt } from './findTexts';

/** The search yields to the extension host after this time, in ms. */
const slice = 8;
/** Maximum number of characters in a batch. */
const batchLength = 131_072;
const batchPieces = 1024;
/**
 * Pause after the first answer, in ms, for the rows around the first match, which the page requests
 * now.
 */
const firstPause = 30;
/** Minimum pause between two answers while results are added, in ms; the first answer isn't delayed. */
const answerPause = 250;
/** Minimum pause before additions to the transcript are searched, in ms. */
const growthPause = 100;
/** Maximum number of matching entries; beyond it, the user has to refine the search. */
export const maxMatches = 200_000;
/** Maximum number of offsets in one entry, two for each mark; more marks aren't useful. */
const maxSpans = 4000;

type Found = Extract<ToWebview, { type: 'found' }>;
type Rows = Questions['mark']['asked']['rows'];
type Post = (message: Found) => void;

/**
 * Searches all entries of a transcript, drawn or not, for one query at a time: from the user's reading
 * position, in steps that don't block the extension host, and then in everything that is added or
 * changed.
 */
export class TranscriptSearch implements Disposable {
  readonly #entries: () => readonly Entry[];
  readonly #post: Post;
  #run: Run | undefined;

  constructor(entries: () => readonly Entry[], post: Post) {
    this.#entries = entries;
    this.#post = post;
  }

  /** Ends the previous search; an empty text starts none. */
  start({ query, from, search }: Extract<FromWebview, { type: 'find' }>): void {
    this.stop();
    if (search.text !== '') {
      this.#run = new Run(this.#entries, search, query, this.#post);
      void this.#run.scanAll(from);
    }
  }

  stop(): void {
    this.#run?.dispose();
    this.#run = undefined;
  }

  note(change: TranscriptChange): void {
    this.#run?.note(change);
  }

  /** Locates the matches in texts as they are drawn: a user's pattern runs nowhere else. */
  mark(query: number, rows: Rows): readonly MarkedRow[] {
    return this.#run?.query === query ? this.#run.mark(rows) : [];
  }

  dispose(): void {
    this.stop();
  }
}

/** A search for one query. */
class Run implements Disposable {
  readonly query: number;
  readonly #entries: () => readonly Entry[];
  readonly #matcher: FindMatcher;
  readonly #post: Post;
  #disposed = false;
  #scanning = false;
  /** Everything must be searched again. */
  #isReset = false;
  #from = 0;
  /** Everything before this index has been searched, except for `#changed`. */
  #seen = 0;
  readonly #changed = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scanMs = 0;

  #state: Found['state'] = 'searching';
  /** The number of entries that had a match when they were searched. */
  #places = 0;
  #isNew = true;
  #unsent: number[] = [];
  #answered = 0;

  constructor(entries: () => readonly Entry[], search: FindQuery, query: number, post: Post) {
    this.#entries = entries;
    this.#matcher = new FindMatcher(search);
    this.query = query;
    this.#post = post;
  }

  async scanAll(from: number): Promise<void> {
    const { length } = this.#entries();
    this.#from = Math.min(from, length);
    this.#seen = length;
    this.#changed.clear();
    this.#isReset = false;
    this.#isNew = true;
    this.#unsent = [];
    this.#places = 0;
    this.#answered = 0;
    this.#state = 'searching';
    await this.#scan([...range(this.#from, length), ...range(0, this.#from)], false);
  }

  note(change: TranscriptChange): void {
    if (change.type === 'reset') {
      this.#isReset = true;
    } else if (change.type === 'updated' && change.index < this.#seen) {
      this.#changed.add(change.index);
    }
    this.#schedule();
  }

  mark(rows: Rows): readonly MarkedRow[] {
    const placed = this.#matcher.place(
      rows.map(({ text }) => text),
      maxSpans,
    );
    return typeof placed === 'string'
      ? []
      : rows.map(({ index }, at) => ({ index, spans: [...(placed[at] ?? [])] }));
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  get #hasNews(): boolean {
    return this.#isReset || this.#changed.size > 0 || this.#entries().length > this.#seen;
  }

  #schedule(): void {
    const isOver = this.#disposed || (this.#state !== 'complete' && this.#state !== 'searching');
    if (isOver || this.#scanning || this.#timer !== undefined || !this.#hasNews) {
      return;
    }
    // A long entry that keeps growing isn't searched all the time.
    const pause = Math.max(growthPause, 4 * this.#scanMs);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#scanNews();
    }, pause);
  }

  async #scanNews(): Promise<void> {
    if (this.#isReset) {
      await this.scanAll(this.#from);
      return;
    }
    const { length } = this.#entries();
    const indexes = [...this.#changed, ...range(this.#seen, length)];
    this.#changed.clear();
    this.#seen = length;
    await this.#scan(indexes, true);
  }

  /** Scans entries. With `all`, those without a match are reported, too: they may have had one before. */
  async #scan(indexes: readonly number[], all: boolean): Promise<void> {
    this.#scanning = true;
    const begun = performance.now();
    const fault = this.#matcher.fault ?? (await this.#look(indexes, all));
    this.#scanning = false;
    this.#scanMs = performance.now() - begun;
    if (!this.#disposed) {
      this.#state = fault ?? this.#standing();
      this.#answer();
      this.#schedule();
    }
  }

  #standing(): Found['state'] {
    if (this.#isReset) {
      return 'searching';
    }
    return this.#isCut ? 'cut' : 'complete';
  }

  get #isCut(): boolean {
    return this.#places >= maxMatches;
  }

  async #look(indexes: readonly number[], all: boolean): Promise<PatternFault | undefined> {
    const batch = new Batch(this.#matcher);
    let sliceEnd = performance.now() + slice;
    for (const index of indexes) {
      batch.open(index);
      for (const text of textsAt(this.#entries(), index)) {
        for (const piece of getPieces(text)) {
          batch.add(piece);
          if (!batch.isFull) {
            continue;
          }
          const fault = batch.run();
          if (fault !== undefined) {
            return fault;
          }
          const isFirst = this.#isNew;
          this.#take(batch.takeDone(), all);
          if (isFirst && !this.#isNew) {
            await setTimeoutPromise(firstPause);
            sliceEnd = performance.now() + slice;
          } else if (performance.now() > sliceEnd) {
            await setImmediate();
            sliceEnd = performance.now() + slice;
          }
          if (this.#disposed || this.#isReset || this.#isCut) {
            return undefined;
          }
        }
      }
    }
    const fault = batch.run();
    if (fault === undefined) {
      this.#take(batch.takeAll(), all);
    }
    return fault;
  }

  #take({ indexes, counts }: Counted, all: boolean): void {
    for (const [at, index] of indexes.entries()) {
      if (this.#isCut) {
        break;
      }
      const count = counts[at] ?? 0;
      this.#places += count > 0 ? 1 : 0;
      if (all || count > 0) {
        this.#tell(index, count);
      }
    }
    if (this.#unsent.length > 0 && performance.now() - this.#answered >= answerPause) {
      this.#answer();
    }
  }

  #tell(index: number, count: number): void {
    const places = this.#unsent;
    const length = places.at(-2) ?? 0;
    if (index === (places.at(-3) ?? -1) + length && count === places.at(-1)) {
      places[places.length - 2] = length + 1;
    } else {
      places.push(index, 1, count);
    }
  }

  #answer(): void {
    this.#post({
      type: 'found',
      query: this.query,
      isNew: this.#isNew,
      places: Uint32Array.from(this.#unsent),
      state: this.#state,
    });
    this.#isNew = false;
    this.#unsent = [];
    this.#answered = performance.now();
  }
}

/** Entries, with the number of matches in each. */
interface Counted {
  readonly indexes: readonly number[];
  readonly counts: readonly number[];
}

/** Texts of several entries that are searched together, because each run has a cost. */
class Batch {
  readonly #matcher: FindMatcher;
  /** The entries and their matches so far; further texts of the last entry may follow. */
  #indexes: number[] = [];
  #counts: number[] = [];
  #pieces: Piece[] = [];
  /** The position in `#indexes` of each piece's entry. */
  #owners: number[] = [];
  #length = 0;

  constructor(matcher: FindMatcher) {
    this.#matcher = matcher;
  }

  get isFull(): boolean {
    return this.#length >= batchLength || this.#pieces.length >= batchPieces;
  }

  /** Pieces that are added from now on belong to this entry. */
  open(index: number): void {
    this.#indexes.push(index);
    this.#counts.push(0);
  }

  add(piece: Piece): void {
    this.#pieces.push(piece);
    this.#owners.push(this.#indexes.length - 1);
    this.#length += piece.text.length;
  }

  run(): PatternFault | undefined {
    const counts = this.#pieces.length > 0 ? this.#matcher.count(this.#pieces) : [];
    if (typeof counts === 'string') {
      return counts;
    }
    for (const [at, owner] of this.#owners.entries()) {
      this.#counts[owner] = (this.#counts[owner] ?? 0) + (counts[at] ?? 0);
    }
    this.#pieces = [];
    this.#owners = [];
    this.#length = 0;
    return undefined;
  }

  /** Takes the entries that have been searched completely after a run, each once. */
  takeDone(): Counted {
    const done = { indexes: this.#indexes.slice(0, -1), counts: this.#counts.slice(0, -1) };
    this.#indexes = this.#indexes.slice(-1);
    this.#counts = this.#counts.slice(-1);
    return done;
  }

  /** Takes all entries after the last run. */
  takeAll(): Counted {
    return { indexes: this.#indexes, counts: this.#counts };
  }
}

function* range(start: number, end: number): Generator<number> {
  for (let index = start; index < end; index++) {
    yield index;
  }
}
