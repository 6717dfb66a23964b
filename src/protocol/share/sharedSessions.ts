import type { JsonObject } from '../../util/json';
import { type IdBounds, NewestIds } from './newestIds';

/** A client of an agent that is shared; each has a process of the agent of its own. */
export interface SharingClient {
  /** The session was opened by another client, or none of them has it open any more. */
  openElsewhere(sessionId: string, isOpen: boolean): void;
  /** Another client was sent this `session_info_update`. */
  heard(sessionId: string, update: JsonObject): void;
  /** Another client has changed what the agent lists. */
  listChanged(): void;
}

/** Sessions of one client; with more, the ones that were opened first are forgotten. */
const maxOpenSessions: IdBounds = { count: 1000, bytes: 1024 * 1024 };
/** Sessions that clients may use; with more, the ones that weren't used for longest are looked for again. */
const maxSharedSessions: IdBounds = { count: 100_000, bytes: 16 * 1024 * 1024 };

/**
 * Knows which sessions of a shared agent are open in which of its clients, and what each client is told about the
 * others.
 */
export class SharedSessions {
  readonly #open = new Map<SharingClient, NewestIds>();
  readonly #shared = new NewestIds(maxSharedSessions);
  readonly #subagents = new NewestIds(maxSharedSessions);
  readonly #elsewhere = new NewestIds(maxSharedSessions);
  /** Whether sessions elsewhere were forgotten; from then on, the agent's word that one is a subagent isn't enough. */
  #hasForgotten = false;

  /** The session is in a folder that is shared: the agent has listed it there, or a client has begun it. */
  share(sessionId: string): void {
    if (sessionId === '') {
      return;
    }
    this.#shared.add(sessionId);
    this.#subagents.delete(sessionId);
    this.#elsewhere.delete(sessionId);
  }

  /** The agent calls it a subagent of a session that is shared. That isn't believed of one that it lists elsewhere. */
  shareSubagent(sessionId: string): void {
    const isElsewhere = this.#elsewhere.has(sessionId) || this.#hasForgotten;
    if (sessionId !== '' && !isElsewhere && !this.#shared.has(sessionId)) {
      this.#subagents.add(sessionId);
    }
  }

  /** The agent lists it in a folder that isn't shared. */
  listedElsewhere(sessionId: string): void {
    this.#subagents.delete(sessionId);
    this.#hasForgotten ||= this.#elsewhere.add(sessionId).length > 0;
  }

  /** Whether it is shared only because the agent calls it a subagent. */
  isSubagent(sessionId: string): boolean {
    return this.#subagents.has(sessionId);
  }

  /** Whoever asks is about to use it. */
  isShared(sessionId: string): boolean {
    const ids = [this.#shared, this.#subagents].find((known) => known.has(sessionId));
    ids?.add(sessionId);
    return ids !== undefined;
  }

  join(client: SharingClient): void {
    this.#open.set(client, new NewestIds(maxOpenSessions));
  }

  /** Removes a client with all that it had open. */
  leave(client: SharingClient): void {
    this.setOpen(client, []);
    this.#open.delete(client);
  }

  opened(client: SharingClient, sessionId: string): void {
    const open = this.#open.get(client);
    if (open === undefined || sessionId === '' || open.has(sessionId)) {
      return;
    }
    const forgotten = open.add(sessionId);
    this.#tell(client, sessionId, true);
    for (const oldest of forgotten) {
      this.#tell(client, oldest, false);
    }
  }

  closed(client: SharingClient, sessionId: string): void {
    if (this.#open.get(client)?.delete(sessionId) === true) {
      this.#tell(client, sessionId, false);
    }
  }

  /** All sessions that the client has open now. */
  setOpen(client: SharingClient, sessionIds: Iterable<string>): void {
    const now = new Set(sessionIds);
    for (const sessionId of this.#open.get(client)?.all ?? []) {
      if (!now.has(sessionId)) {
        this.closed(client, sessionId);
      }
    }
    for (const sessionId of now) {
      this.opened(client, sessionId);
    }
  }

  /** Whether any other client has the session open. */
  isOpenElsewhere(client: SharingClient, sessionId: string): boolean {
    return [...this.#open].some(([other, open]) => other !== client && open.has(sessionId));
  }

  /** Passes an update that one client was sent on to the others. */
  pass(from: SharingClient, sessionId: string, update: JsonObject): void {
    for (const client of this.#others(from)) {
      client.heard(sessionId, update);
    }
  }

  changedList(by: SharingClient): void {
    for (const client of this.#others(by)) {
      client.listChanged();
    }
  }

  /** Tells those for whom something is different: it may be open in a third client. */
  #tell(by: SharingClient, sessionId: string, isOpen: boolean): void {
    for (const client of this.#others(by)) {
      const isKnown = [...this.#open].some(
        ([other, open]) => other !== client && other !== by && open.has(sessionId),
      );
      if (!isKnown) {
        client.openElsewhere(sessionId, isOpen);
      }
    }
  }

  #others(client: SharingClient): readonly SharingClient[] {
    return [...this.#open.keys()].filter((other) => other !== client);
  }
}
