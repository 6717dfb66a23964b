import type { Entry } from '../../shared/transcript/entries';

/**
 * The entries of a transcript while updates are reduced into them, with the places where later updates
 * find theirs. Entries are never changed, only replaced, and never move.
 */
export class EntryList {
  #entries: Entry[] = [];
  /** Places of tool calls by id, which are unique within a session (TO-11). */
  readonly toolCalls = new Map<string, number>();
  /** Tool calls, by id, whose last permission was answered with a reject. */
  readonly rejected = new Set<string>();
  readonly compactions = new Map<string, number>();
  /** Place of the one plan. */
  plan: number | undefined;
  /** Place of the last prompt that was sent from here: it is whole, no chunk goes on with it. */
  sent: number | undefined;

  get all(): readonly Entry[] {
    return this.#entries;
  }

  at(index: number): Entry | undefined {
    return this.#entries[index];
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Adds at the end; returns the place. */
  push(entry: Entry): number {
    return this.#entries.push(entry) - 1;
  }

  replace(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  clear(): void {
    // A new array: whoever still reads the old one sees what it was.
    this.#entries = [];
    this.toolCalls.clear();
    this.rejected.clear();
    this.compactions.clear();
    this.plan = undefined;
    this.sent = undefined;
  }
}
