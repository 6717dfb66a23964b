import type { PlanItem } from '../../shared/transcript/content';
import type { Entry, MessageEntry, MessageKind, Unknown } from '../../shared/transcript/entries';

/** The entries of a message whose id is unique: a full one continues in another. */
interface MessageParts {
  readonly indexes: number[];
  /** Which of them takes the next content. */
  open: number;
}

/**
 * The entries of a transcript while updates are reduced into them, with the indexes by which later
 * updates find theirs. Entries are immutable: they are only replaced, and don't move, except for calls that were asked
 * about too early.
 */
export class EntryList {
  #entries: Entry[] = [];
  /** Indexes of tool calls by id; ids are unique within a session (TO-11). */
  readonly toolCalls = new Map<string, number>();
  /** Ids of the tool calls whose last permission request was answered with a rejection. */
  readonly rejected = new Set<string>();
  /** Ids of the requests that wait for an answer, by the id of the call that they are about. */
  readonly asked = new Map<string, Set<number>>();
  /** Ids of the calls that so far only a request has named. */
  readonly early = new Set<string>();
  readonly compactions = new Map<string, number>();
  /** Messages whose ids are unique, by kind and id (V2-MSG-6). */
  readonly messages: Readonly<Record<MessageKind, Map<string, MessageParts>>> = {
    user: new Map(),
    agent: new Map(),
    thought: new Map(),
  };
  /** Indexes of plans by id; one without an id has the key `undefined`. */
  readonly plans = new Map<string | undefined, number>();
  /** Ids of the plans that have changed since the last prompt. */
  readonly plansOfTurn = new Set<string | undefined>();
  /** The list that the agent has worked through since the last prompt: of its plan, or of a call of its to-do tool. */
  checklist: readonly PlanItem[] | undefined;
  /** Indexes of what isn't known here, by what it is and its name, since the last prompt. */
  readonly unknown = new Map<string, number>();
  /** Called with the new indexes of entries that have moved, by their former ones. */
  onReorder: ((to: ReadonlyMap<number, number>) => void) | undefined;
  /** Messages of the user as their agent has sent them, by index, where the entry shows what that means. */
  readonly written = new Map<number, MessageEntry>();
  /**
   * The last chunk of a prompt; `isStream`: it is a piece of a text that comes in pieces of one length; `isOneText`: of
   * any length; `cuts`: how many of the last chunks seem to begin within a word; `end`: its last characters.
   */
  piece:
    | {
        readonly index: number;
        readonly length: number;
        readonly isStream: boolean;
        readonly isOneText: boolean;
        readonly cuts: number;
        readonly end: string;
      }
    | undefined;
  /** The time that messages have which begin now; `undefined` while history is replayed. */
  now: number | undefined;
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
    if (entry.kind === 'user' && entry.steering === undefined) {
      this.checklist = undefined;
      this.plansOfTurn.clear();
      this.unknown.clear();
    }
    return this.#entries.push(entry) - 1;
  }

  replace(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  /** The entry as its agent has sent it. */
  writtenAt(index: number): Entry | undefined {
    return this.written.get(index) ?? this.#entries[index];
  }

  /** Puts entries in another order: `order` has their present indexes, of which `from` is the lowest. */
  reorder(from: number, order: readonly number[]): void {
    const to = new Map(order.map((index, at) => [index, from + at]));
    const moves = order.map((index, at) => ({ entry: this.#entries[index], to: from + at }));
    const messages = new Set<MessageParts>();
    const written = [...to].map(([index, moved]) => [moved, this.written.get(index)] as const);
    for (const [index, message] of written) {
      if (message === undefined) {
        this.written.delete(index);
      } else {
        this.written.set(index, message);
      }
    }
    for (const { entry, to: index } of moves) {
      if (entry === undefined) {
        continue;
      }
      this.#entries[index] = withPlaces(entry, to);
      if (entry.kind === 'toolCall') {
        this.toolCalls.set(entry.toolCallId, index);
      } else if (entry.kind === 'plan') {
        this.plans.set(entry.planId, index);
      } else if (entry.kind === 'unknown') {
        this.unknown.set(unknownKey(entry), index);
      } else if (isMessage(entry) && entry.messageId !== undefined) {
        const parts = this.messages[entry.kind].get(entry.messageId);
        messages.add(parts ?? { indexes: [], open: 0 });
      }
    }
    for (const { indexes } of messages) {
      // Only the last parts of a message are among what moves.
      for (let at = indexes.length - 1; at >= 0; at--) {
        const moved = to.get(indexes[at] ?? -1);
        if (moved === undefined) {
          break;
        }
        indexes[at] = moved;
      }
    }
    this.onReorder?.(to);
  }

  clear(): void {
    // A new array: anyone who still reads the old one keeps its contents.
    this.#entries = [];
    this.toolCalls.clear();
    this.rejected.clear();
    this.asked.clear();
    this.early.clear();
    this.written.clear();
    this.piece = undefined;
    this.compactions.clear();
    for (const messages of Object.values(this.messages)) {
      messages.clear();
    }
    this.plans.clear();
    this.plansOfTurn.clear();
    this.checklist = undefined;
    this.unknown.clear();
    this.now = undefined;
    this.sent = undefined;
  }
}

/** What is one entry in a turn. */
export function unknownKey({ what, name }: Unknown): string {
  return `${what} ${name}`;
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'user' || entry.kind === 'agent' || entry.kind === 'thought';
}

/** The entry with the new index of the call that it refers to. */
function withPlaces(entry: Entry, to: ReadonlyMap<number, number>): Entry {
  if (entry.kind !== 'permission' || entry.call === undefined) {
    return entry;
  }
  return { ...entry, call: to.get(entry.call) ?? entry.call };
}
