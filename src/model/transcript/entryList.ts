import type { Entry, MessageKind } from '../../shared/transcript/entries';

/** The entries of a message whose id is unique: a full one continues in another. */
interface MessageParts {
  readonly indexes: number[];
  /** Which of them takes the next content. */
  open: number;
}

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
  /** Messages whose ids are unique, by kind and id (V2-MSG-6). */
  readonly messages: Readonly<Record<MessageKind, Map<string, MessageParts>>> = {
    user: new Map(),
    agent: new Map(),
    thought: new Map(),
  };
  /** Indexes of plans by id; one without an id has the key `undefined`. */
  readonly plans = new Map<string | undefined, number>();
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
    for (const messages of Object.values(this.messages)) {
      messages.clear();
    }
    this.plans.clear();
    this.sent = undefined;
  }
}
