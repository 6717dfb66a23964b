import type { DrawnBlock, DrawnEntry, DrawnMessage } from '../../shared/drawn';
import type { Entry, TranscriptChange } from '../../shared/entries';
import type { Change } from '../../shared/messages';

/** The rows that the webview wants to hold; with `follow`, as many at the end as it moves. */
export interface WantedRows {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly follow: boolean;
}

/** What a webview gets before it has said what it wants: the newest rows. */
const firstRows: WantedRows = { start: 0, end: 60, follow: true };

export interface WindowSource {
  readonly entries: readonly Entry[];
  draw(entry: Entry): DrawnEntry;
}

/**
 * Knows which rows the webview holds and computes what it lacks. Cost depends on the window and on
 * what changed in it, never on the length of the transcript.
 */
export class TranscriptWindow {
  readonly #source: WindowSource;
  #wanted = firstRows;
  /** As they were sent, by index. */
  readonly #held = new Map<number, DrawnEntry>();
  /** Held rows that changed since. */
  readonly #dirty = new Set<number>();

  constructor(source: WindowSource) {
    this.#source = source;
  }

  /** How many rows the webview holds. */
  get held(): number {
    return this.#held.size;
  }

  /** The webview lets go at once of what it no longer wants, so these rows must be sent again. */
  want(rows: WantedRows): void {
    this.#wanted = rows;
    this.#forgetUnwanted();
  }

  /** The webview holds nothing, and wants the newest rows until it says otherwise. */
  restart(): void {
    this.#wanted = firstRows;
    this.#forget();
  }

  note(change: TranscriptChange): void {
    switch (change.type) {
      case 'appended':
        // New rows are not held; `changes` finds them.
        return;
      case 'updated':
        if (this.#held.has(change.index)) {
          this.#dirty.add(change.index);
        }
        return;
      case 'reset':
        this.#forget();
    }
  }

  /** All rows of the window, held from now on. */
  snapshot(): { readonly start: number; readonly entries: readonly DrawnEntry[] } {
    this.#forget();
    const { start, end } = this.#range();
    const entries: DrawnEntry[] = [];
    for (let index = start; index < end; index++) {
      const drawn = this.#draw(index);
      if (drawn !== undefined) {
        this.#held.set(index, drawn);
        entries.push(drawn);
      }
    }
    return { start, entries };
  }

  /**
   * What the webview needs to hold its window as it is now. While `growing`, a text that is already
   * cut isn't sent again just because more of it is left out.
   */
  changes(growing: boolean): Change[] {
    this.#forgetUnwanted();
    const { start, end } = this.#range();
    const changes: Change[] = [];
    for (let index = start; index < end; index++) {
      const change = this.#change(index, growing);
      if (change !== undefined) {
        changes.push(change);
      }
    }
    return changes;
  }

  #change(index: number, growing: boolean): Change | undefined {
    const held = this.#held.get(index);
    if (held !== undefined && !this.#dirty.has(index)) {
      return undefined;
    }
    const drawn = this.#draw(index);
    if (drawn === undefined) {
      return undefined;
    }
    const growth = held === undefined ? undefined : growthOf(held, drawn);
    if (growth === 'omitted' && growing) {
      return undefined;
    }
    this.#held.set(index, drawn);
    this.#dirty.delete(index);
    if (growth === 'none') {
      return undefined;
    }
    return growth === undefined || growth === 'omitted'
      ? { op: 'set', index, entry: drawn }
      : { op: 'append', index, text: growth.text };
  }

  #draw(index: number): DrawnEntry | undefined {
    const entry = this.#source.entries[index];
    return entry && this.#source.draw(entry);
  }

  #range(): { start: number; end: number } {
    const count = this.#source.entries.length;
    const { start, end, follow } = this.#wanted;
    return follow
      ? { start: Math.max(0, count - (end - start)), end: count }
      : { start, end: Math.min(end, count) };
  }

  #forgetUnwanted(): void {
    const { start, end } = this.#range();
    for (const index of this.#held.keys()) {
      if (index < start || index >= end) {
        this.#held.delete(index);
        this.#dirty.delete(index);
      }
    }
  }

  #forget(): void {
    this.#held.clear();
    this.#dirty.clear();
  }
}

/**
 * How a message grew: by a text at its end, not at all, or (`omitted`) only by what a cut text leaves
 * out. `undefined`: it changed in another way.
 */
type Growth = { readonly text: string } | 'none' | 'omitted' | undefined;

function growthOf(before: DrawnEntry, after: DrawnEntry): Growth {
  if (!isMessage(before) || !isMessage(after) || before.blocks.length !== after.blocks.length) {
    return undefined;
  }
  if (before.dropped !== after.dropped) {
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

function isMessage(entry: DrawnEntry): entry is DrawnMessage {
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
