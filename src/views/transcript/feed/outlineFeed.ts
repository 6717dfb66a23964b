import { startsTurn } from '../../../model/transcript/turnStarts';
import { filesChangedIn } from '../../../shared/transcript/content';
import type { Entry, TranscriptChange } from '../../../shared/transcript/entries';
import type { Direction, Landmark, Marks, OutlineTurn } from '../../../shared/transcript/outline';
import type { ToWebview } from '../../../shared/transcript/webviewMessages';
import type { Disposable } from '../../../util/disposable';
import { promptLine } from '../rows/promptLine';
import type { WantedRows } from './window';

/** Maximum number of marks of a kind; more can't be told apart beside a scroll bar. */
const maxMarks = 400;
/** Cleared messages that are looked past for a prompt after them. */
const maxClearedMessages = 100;

/**
 * The positions of all turns, tool calls, diffs and errors in a transcript, updated as entries
 * arrive and change. A turn starts with a user message that doesn't continue the one before it.
 */
export class Outline {
  readonly #entries: () => readonly Entry[];
  readonly #places: Readonly<Record<Landmark, SortedIndexes>> = {
    turn: new SortedIndexes(),
    toolCall: new SortedIndexes(),
    diff: new SortedIndexes(),
    error: new SortedIndexes(),
  };
  #known = 0;
  #version = 0;

  /** `entries` may already contain some. */
  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
    this.#readOn();
  }

  /** Changes whenever the marks may have changed. */
  get version(): number {
    return this.#version;
  }

  get turnCount(): number {
    return this.#places.turn.length;
  }

  note(change: TranscriptChange): void {
    switch (change.type) {
      case 'appended':
        this.#readOn();
        return;
      case 'updated':
        if (change.index < this.#known) {
          this.#place(change.index);
          this.#placeNext(change.index + 1);
        }
        return;
      case 'reset':
        this.#forget();
        this.#readOn();
    }
  }

  /** The next or previous landmark from entry `from`; `undefined` if there is none. */
  seek(target: Landmark, direction: Direction, from: number): number | undefined {
    const places = this.#places[target];
    return direction === 'next'
      ? places.at(places.getPosition(from + 1))
      : places.at(places.getPosition(from) - 1);
  }

  /** The turn of an entry; `undefined` before the first prompt. */
  findTurn(index: number): OutlineTurn | undefined {
    return this.#turn(this.#places.turn.getPosition(index + 1) - 1);
  }

  /** The entries of a turn, `end` exclusive. */
  getRange(turn: OutlineTurn): { readonly start: number; readonly end: number } {
    return { start: turn.index, end: this.#places.turn.at(turn.number) ?? this.#known };
  }

  /** The turns of the entries from `start` to `end` (exclusive). */
  turnsIn(start: number, end: number): OutlineTurn[] {
    const { turn } = this.#places;
    const first = Math.max(0, turn.getPosition(start + 1) - 1);
    const last = turn.getPosition(end);
    return this.#turns(first, last);
  }

  allTurns(): OutlineTurn[] {
    return this.#turns(0, this.turnCount);
  }

  /** The entries to mark: the first of each kind in each stretch of entries, which bounds their number. */
  marks(): Marks {
    return {
      turn: this.#getMarks('turn'),
      diff: this.#getMarks('diff'),
      error: this.#getMarks('error'),
    };
  }

  #turns(first: number, last: number): OutlineTurn[] {
    const turns: OutlineTurn[] = [];
    for (let position = first; position < last; position++) {
      const turn = this.#turn(position);
      if (turn !== undefined) {
        turns.push(turn);
      }
    }
    return turns;
  }

  #turn(position: number): OutlineTurn | undefined {
    const index = this.#places.turn.at(position);
    const entry = index === undefined ? undefined : this.#entries()[index];
    return index === undefined || entry?.kind !== 'user'
      ? undefined
      : { index, number: position + 1, prompt: promptLine(entry) };
  }

  #getMarks(kind: keyof Marks): readonly number[] {
    const places = this.#places[kind];
    if (places.length <= maxMarks) {
      return [...places.all];
    }
    // A power of two, so that marks stay in place while the transcript grows.
    const stretch = 2 ** Math.ceil(Math.log2(this.#known / maxMarks));
    const marks: number[] = [];
    for (let from = 0; from < this.#known; from += stretch) {
      const index = places.at(places.getPosition(from));
      if (index !== undefined && index < from + stretch) {
        marks.push(index);
      }
    }
    return marks;
  }

  #readOn(): void {
    const { length } = this.#entries();
    for (; this.#known < length; this.#known++) {
      this.#place(this.#known);
    }
  }

  /** A message that was cleared, or has come back, isn't the one before a prompt any more, or is it again. */
  #placeNext(index: number): void {
    for (let at = index; at < this.#known && at < index + maxClearedMessages; at++) {
      const entry = this.#entries()[at];
      if (entry?.kind === 'user') {
        this.#place(at);
      }
      if (entry?.kind !== 'user' || entry.blocks.length > 0) {
        return;
      }
    }
  }

  #place(index: number): void {
    const entry = this.#entries()[index];
    const calls = entry?.kind === 'toolCall';
    this.#places.toolCall.set(index, calls);
    const changes = [
      this.#places.turn.set(index, startsTurn(this.#entries(), index)),
      this.#places.diff.set(index, calls && filesChangedIn(entry.content).length > 0),
      this.#places.error.set(index, entry !== undefined && isError(entry)),
    ];
    if (changes.includes(true)) {
      this.#version += 1;
    }
  }

  #forget(): void {
    for (const places of Object.values(this.#places)) {
      places.clear();
    }
    this.#known = 0;
    this.#version += 1;
  }
}

function isError(entry: Entry): boolean {
  return (
    (entry.kind === 'toolCall' && entry.status === 'failed') ||
    (entry.kind === 'turn' && entry.outcome.type === 'failed')
  );
}

/** Indexes of entries in ascending order. Adding at or near the end, where entries arrive, is cheap. */
class SortedIndexes {
  #items: number[] = [];

  get length(): number {
    return this.#items.length;
  }

  get all(): readonly number[] {
    return this.#items;
  }

  at(position: number): number | undefined {
    return this.#items[position];
  }

  /** Returns whether this changed anything. */
  set(index: number, isIn: boolean): boolean {
    const position = this.getPosition(index);
    if ((this.#items[position] === index) === isIn) {
      return false;
    }
    if (isIn) {
      this.#items.splice(position, 0, index);
    } else {
      this.#items.splice(position, 1);
    }
    return true;
  }

  /** The position of the first index that isn't less than `index`; past the end if there is none. */
  getPosition(index: number): number {
    let low = 0;
    let high = this.#items.length;
    // Most lookups are at the end.
    if (high === 0 || (this.#items[high - 1] ?? 0) < index) {
      return high;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle] ?? 0) < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  clear(): void {
    // A new array, so that readers of the old one see no change.
    this.#items = [];
  }
}

type OutlineMessage = Extract<ToWebview, { type: 'outline' }>;

/** Pause between two messages while the transcript changes, in ms. */
const pause = 100;

/** Sends a webview the turns around its rows, and the marks beside its scroll bar. */
export class OutlineFeed implements Disposable {
  readonly outline: Outline;
  readonly #entries: () => readonly Entry[];
  readonly #post: (message: OutlineMessage) => unknown;
  #live = false;
  #wanted: WantedRows = { start: 0, end: 0, follow: true };
  #sentTurns: readonly OutlineTurn[] = [];
  #sentVersion: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(entries: () => readonly Entry[], post: (message: OutlineMessage) => unknown) {
    this.outline = new Outline(entries);
    this.#entries = entries;
    this.#post = post;
  }

  /** The webview has (re)started: it holds nothing. */
  start(): void {
    this.#live = true;
    this.#sentTurns = [];
    this.#sentVersion = undefined;
    this.#send();
  }

  /** The webview is gone. */
  stop(): void {
    this.#live = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  want(rows: WantedRows): void {
    this.#wanted = rows;
    this.#send();
  }

  note(change: TranscriptChange): void {
    this.outline.note(change);
    if (this.#live) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#send();
      }, pause);
    }
  }

  dispose(): void {
    this.stop();
  }

  #send(): void {
    if (!this.#live) {
      return;
    }
    const turns = this.#turns();
    const newTurns = !sameTurns(turns, this.#sentTurns);
    const newMarks = this.#sentVersion !== this.outline.version;
    if (newTurns || newMarks) {
      this.#sentTurns = turns;
      this.#sentVersion = this.outline.version;
      this.#post({
        type: 'outline',
        ...(newTurns && { turns }),
        ...(newMarks && { marks: this.outline.marks() }),
      });
    }
  }

  #turns(): readonly OutlineTurn[] {
    const { start, end, follow } = this.#wanted;
    const count = this.#entries().length;
    return follow
      ? this.outline.turnsIn(Math.max(0, count - (end - start)), count)
      : this.outline.turnsIn(start, Math.min(end, count));
  }
}

function sameTurns(some: readonly OutlineTurn[], others: readonly OutlineTurn[]): boolean {
  return (
    some.length === others.length &&
    some.every((turn, at) => {
      const other = others[at];
      return turn.index === other?.index && turn.prompt === other.prompt;
    })
  );
}
