import { isDeepStrictEqual } from 'node:util';
import type { DrawnBlock, DrawnEntry, DrawnMessage } from '../../../shared/transcript/drawn';
import type { Entry, TranscriptChange } from '../../../shared/transcript/entries';
import { indexAt, numberAt, placeIn } from '../../../shared/transcript/places';
import type { Change } from '../../../shared/transcript/webviewMessages';
import { Effort } from '../../../util/effort';
import { getSize } from '../rows/draw';

/** The rows that the webview asks to hold; with `follow`, as many rows at the end as it moves. */
export interface WantedRows {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly follow: boolean;
}

/** The rows for a webview that hasn't asked for any yet: the newest ones. */
const firstRows: WantedRows = { start: 0, end: 60, follow: true };

/** Maximum bytes of rows that a webview holds; further rows are left out until the user asks for them. */
const maxHeldBytes = 64_000_000;
/** Maximum number of rows that are held beyond this because the user asked for them: the latest ones. */
const maxAskedRows = 3;
/** Maximum number of unfolded subagents that are kept up to date: the latest ones. */
const maxUnfoldedSubagents = 50;
/** Steps for drawing the rows of one message; the remaining rows go into the next. */
const messageEffort = 500_000;
/** Sending this many bytes takes as long as one step. */
const bytesPerStep = 16;

export interface WindowSource {
  readonly entries: readonly Entry[];
  /** The entries of the subagent with this number. */
  nested?(number: number): readonly Entry[];
  /** Subtracts its work from `effort`. */
  draw(entry: Entry, effort: Effort): DrawnEntry;
}

/**
 * Tracks which rows the webview holds and computes what it lacks. The cost depends on the window
 * and on its changes, never on the length of the transcript.
 */
export class TranscriptWindow {
  readonly #source: WindowSource;
  #wanted = firstRows;
  /** The entries as sent, by index. */
  readonly #held = new Map<number, DrawnEntry>();
  /** Held rows that have changed since. */
  readonly #dirty = new Set<number>();
  /** Held rows of a transcript that has begun anew since: most of them are as they were. */
  readonly #old = new Set<number>();
  /** Rows that are held in full although there is no room for them, oldest first. */
  #asked: readonly number[] = [];
  /** The size of all held rows. */
  #bytes = 0;
  #isBehind = false;
  /** Subagents that are unfolded, by number, with how many of their last rows; the latest last. */
  readonly #unfolded = new Map<number, number>();

  constructor(source: WindowSource) {
    this.#source = source;
  }

  /** How many rows the webview holds. */
  get held(): number {
    return this.#held.size;
  }

  /** Whether the window is the newest rows. */
  get isFollowing(): boolean {
    return this.#wanted.follow;
  }

  /** Whether rows of the window wait for the next message. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The webview drops rows outside this range immediately, so they would have to be sent again. */
  want(rows: WantedRows): void {
    this.#wanted = rows;
    this.#forgetUnwanted();
    for (const [index, row] of this.#held) {
      // There may be room for it now.
      if (isLeftOut(row)) {
        this.#dirty.add(index);
      }
    }
  }

  /** Shows the last rows of a subagent, or none: the webview drops the others immediately. */
  unfold(number: number, rows: number): void {
    this.#unfolded.delete(number);
    if (rows > 0) {
      this.#unfolded.set(number, rows);
      for (const oldest of this.#unfolded.keys()) {
        if (this.#unfolded.size > maxUnfoldedSubagents) {
          this.#unfolded.delete(oldest);
        }
      }
    }
    this.#forgetUnwanted();
  }

  isUnfolded(number: number): boolean {
    return this.#unfolded.has(number);
  }

  /** The user asks for a row that there was no room for. */
  ask(index: number): void {
    const asked = [...this.#asked.filter((other) => other !== index), index];
    for (const changed of [index, ...asked.slice(0, -maxAskedRows)]) {
      if (this.#held.has(changed)) {
        this.#dirty.add(changed);
      }
    }
    this.#asked = asked.slice(-maxAskedRows);
  }

  /** The webview holds nothing, and gets the newest rows until it asks for others. */
  restart(): void {
    this.#wanted = firstRows;
    this.#unfolded.clear();
    this.#forget();
  }

  /** `number`: the subagent's whose transcript has changed. */
  note(change: TranscriptChange, number = 0): void {
    switch (change.type) {
      case 'appended':
        // New rows aren't held yet; `changes` finds them.
        return;
      case 'updated': {
        const place = placeIn(number, change.index);
        if (this.#held.has(place)) {
          this.#dirty.add(place);
        }
        return;
      }
      case 'reset':
        this.#asked = [];
        for (const index of this.#held.keys()) {
          this.#dirty.add(index);
          this.#old.add(index);
        }
    }
  }

  /** The rows of the window, held from now on: all of them, or as many as fit into one message. */
  snapshot(): { readonly start: number; readonly entries: readonly DrawnEntry[] } {
    this.#forget();
    const effort = new Effort(messageEffort);
    const entries: DrawnEntry[] = [];
    const indexes = this.#ownIndexes();
    for (const index of indexes) {
      const drawn = effort.isSpent ? undefined : this.#draw(index, effort);
      if (drawn === undefined) {
        break;
      }
      this.#hold(index, drawn);
      entries.push(drawn);
    }
    this.#isBehind = entries.length < indexes.length || this.#unfolded.size > 0;
    const { start, end } = this.#range();
    return this.#wanted.follow
      ? { start: end - entries.length, entries: entries.reverse() }
      : { start, entries };
  }

  /**
   * The changes that bring the webview's window up to date, as far as they fit into one message. While
   * `growing`, a text that is already cut isn't sent again just because more of it is left out.
   */
  changes(growing: boolean): Change[] {
    this.#forgetUnwanted();
    const effort = new Effort(messageEffort);
    const changes: Change[] = [];
    this.#isBehind = false;
    for (const index of this.#indexes()) {
      if (!this.#held.has(index) || this.#dirty.has(index)) {
        if (effort.isSpent) {
          this.#isBehind = true;
          break;
        }
        const change = this.#change(index, growing, effort);
        if (change !== undefined) {
          changes.push(change);
        }
      }
    }
    return changes.sort((a, b) => a.index - b.index);
  }

  #change(index: number, growing: boolean, effort: Effort): Change | undefined {
    const held = this.#held.get(index);
    const drawn = this.#draw(index, effort);
    if (drawn === undefined) {
      return undefined;
    }
    if (this.#old.delete(index) && isDeepStrictEqual(held, drawn)) {
      this.#dirty.delete(index);
      return undefined;
    }
    const growth = held === undefined ? undefined : getGrowth(held, drawn);
    if (growth === 'omitted' && growing) {
      return undefined;
    }
    this.#hold(index, drawn);
    this.#dirty.delete(index);
    if (growth === 'none') {
      return undefined;
    }
    return growth === undefined || growth === 'omitted'
      ? { op: 'set', index, entry: drawn }
      : { op: 'append', index, text: growth.text };
  }

  #draw(index: number, effort: Effort): DrawnEntry | undefined {
    const entry = this.#getEntries(numberAt(index))[indexAt(index)];
    if (entry === undefined) {
      return undefined;
    }
    const drawn = this.#source.draw(entry, effort);
    const size = getSize(drawn);
    effort.spend(size / bytesPerStep);
    const others = this.#bytes - this.#sizeHeld(index);
    const hasRoom = others + size <= maxHeldBytes || this.#asked.includes(index);
    return hasRoom ? drawn : { kind: 'unshown', reason: 'large' };
  }

  #hold(index: number, drawn: DrawnEntry): void {
    this.#bytes += getSize(drawn) - this.#sizeHeld(index);
    this.#held.set(index, drawn);
  }

  #sizeHeld(index: number): number {
    const held = this.#held.get(index);
    return held === undefined ? 0 : getSize(held);
  }

  #getEntries(number: number): readonly Entry[] {
    const { entries } = this.#source;
    return number === 0 ? entries : (this.#source.nested?.(number) ?? []);
  }

  /** The rows of the window and those of unfolded subagents. */
  #indexes(): readonly number[] {
    const nested = [...this.#unfolded.keys()].flatMap((number) => {
      const { start, end } = this.#getRange(number);
      return Array.from({ length: end - start }, (_, at) => start + at);
    });
    return [...this.#ownIndexes(), ...nested];
  }

  /** The places of an unfolded subagent's last rows. */
  #getRange(number: number): { readonly start: number; readonly end: number } {
    const length = this.#getEntries(number).length;
    const rows = this.#unfolded.get(number) ?? 0;
    return { start: placeIn(number, Math.max(0, length - rows)), end: placeIn(number, length) };
  }

  /** The rows of the window, starting with those that are most likely visible. */
  #ownIndexes(): readonly number[] {
    const { start, end } = this.#range();
    const indexes = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
    return this.#wanted.follow ? indexes.reverse() : indexes;
  }

  #range(): { start: number; end: number } {
    const count = this.#source.entries.length;
    const { start, end, follow } = this.#wanted;
    return follow
      ? { start: Math.max(0, count - (end - start)), end: count }
      : { start, end: Math.min(end, count) };
  }

  #forgetUnwanted(): void {
    const own = this.#range();
    for (const index of this.#held.keys()) {
      const number = numberAt(index);
      const { start, end } = number === 0 ? own : this.#getRange(number);
      if (index < start || index >= end) {
        this.#bytes -= this.#sizeHeld(index);
        this.#held.delete(index);
        this.#dirty.delete(index);
        this.#old.delete(index);
      }
    }
  }

  #forget(): void {
    this.#held.clear();
    this.#dirty.clear();
    this.#old.clear();
    this.#bytes = 0;
  }
}

function isLeftOut(row: DrawnEntry): boolean {
  return row.kind === 'unshown' && row.reason === 'large';
}

/**
 * How a message grew: by a text at its end, not at all, or (`omitted`) only in the part that a cut
 * text leaves out. `undefined`: it changed in another way.
 */
type Growth = { readonly text: string } | 'none' | 'omitted' | undefined;

function getGrowth(before: DrawnEntry, after: DrawnEntry): Growth {
  if (!isMessage(before) || !isMessage(after) || before.blocks.length !== after.blocks.length) {
    return undefined;
  }
  const isAlike = before.dropped === after.dropped && before.steering === after.steering;
  if (!isAlike || before.turn?.ended !== after.turn?.ended) {
    return undefined;
  }
  if (before.shortened || after.shortened) {
    return undefined;
  }
  const old = before.blocks.at(-1);
  const now = after.blocks.at(-1);
  if (old?.type !== 'text' || now?.type !== 'text' || !sameButLast(before.blocks, after.blocks)) {
    return undefined;
  }
  if (old.text === now.text) {
    return old.omitted === now.omitted ? 'none' : 'omitted';
  }
  if (now.omitted > 0 || !now.text.startsWith(old.text)) {
    return undefined;
  }
  return { text: now.text.slice(old.text.length) };
}

function isMessage(entry: DrawnEntry): entry is DrawnEntry & DrawnMessage {
  return entry.kind === 'user' || entry.kind === 'agent' || entry.kind === 'thought';
}

function sameButLast(before: readonly DrawnBlock[], after: readonly DrawnBlock[]): boolean {
  return before.slice(0, -1).every((block, index) => {
    const other = after[index];
    return other !== undefined && sameBlock(block, other);
  });
}

function sameBlock(a: DrawnBlock, b: DrawnBlock): boolean {
  if (a.type === 'text' && b.type === 'text') {
    return a.text === b.text && a.omitted === b.omitted;
  }
  if (a.type === 'image' && b.type === 'image') {
    return a.data === b.data && a.mimeType === b.mimeType;
  }
  return JSON.stringify(a) === JSON.stringify(b);
}
