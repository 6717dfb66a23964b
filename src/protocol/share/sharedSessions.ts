import type { JsonObject } from '../../util/json';
import { type IdBounds, NewestIds } from './newestIds';

/** One of the clients of an agent that is shared; each has a process of the agent of its own. */
export interface SharingClient {
  /** The session was opened by another client, or none of them has it open any more. */
  openElsewhere(sessionId: string, isOpen: boolean): void;
  /** Another client was sent this `session_info_update`. */
  heard(sessionId: string, update: JsonObject): void;
  /** Another client has changed what the agent lists. */
  listChanged(): void;
}

/** Sessions of one client; with more, the ones that were opened first are forgotten. */
const mostOpen: IdBounds = { count: 1000, bytes: 1024 * 1024 };
/** Sessions that clients may use; with more, the ones that weren't used for longest are looked for again. */
const mostShared: IdBounds = { count: 100_000, bytes: 16 * 1024 * 1024 };

/** Which sessions of a shared agent are open in which of its clients, and what each client is told of the others. */
export class SharedSessions {
  readonly #open = new Map<SharingClient, NewestIds>();
  readonly #shared = new NewestIds(mostShared);

  /** The session is in a folder that is shared: the agent has listed it there, or a client has begun it. */
  share(sessionId: string): void {
    if (sessionId === '') {
      return;
    }
    this.#shared.add(sessionId);
  }

  /** Whoever asks is about to use it. */
  isShared(sessionId: string): boolean {
    const isShared = this.#shared.has(sessionId);
    if (isShared) {
      this.#shared.add(sessionId);
    }
    return isShared;
  }

  join(client: SharingClient): void {
    this.#open.set(client, new NewestIds(mostOpen));
  }

  /** With all that the client had open. */
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
