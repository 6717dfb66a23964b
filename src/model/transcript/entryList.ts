import type { Entry } from '../../shared/transcript/entries';

/**
 * The entries of a transcript while updates are reduced into them, with the indexes by which later
 * updates find theirs. Entries are immutable: they are only replaced, and never move.
 */
export class EntryList {
  #entries: Entry[] = [];
  /** Indexes of tool calls by id; ids are unique within a session (TO-11). */
  readonly toolCalls = new Map<string, number>();
  /** Ids of the tool calls whose last permission request was answered with a rejection. */
  readonly rejected = new Set<string>();
  readonly compactions = new Map<string, number>();
  /** Index of the plan; a transcript has at most one. */
  plan: number | undefined;
  /** Index of the last prompt sent from this client: it is complete, so no chunk continues it. */
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

  /** Appends an entry and returns its index. */
  push(entry: Entry): number {
    return this.#entries.push(entry) - 1;
  }

  replace(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  clear(): void {
    // A new array: anyone who still reads the old one keeps its contents.
    this.#entries = [];
    this.toolCalls.clear();
    this.rejected.clear();
    this.compactions.clear();
    this.plan = undefined;
    this.sent = undefined;
  }
}
