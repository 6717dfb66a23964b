import type { JsonObject } from '../../util/json';
import { setNewest } from '../../util/setNewest';

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
const mostOpen = 1000;
/** Sessions that clients may use; with more, the ones that were heard of first are looked for again. */
const mostShared = 100_000;

/** Which sessions of a shared agent are open in which of its clients, and what each client is told of the others. */
export class SharedSessions {
  readonly #open = new Map<SharingClient, Set<string>>();
  readonly #shared = new Map<string, true>();

  /** The session is in a folder that is shared: the agent has listed it there, or a client has begun it. */
  share(sessionId: string): void {
    if (sessionId === '') {
      return;
    }
    setNewest(this.#shared, sessionId, true, mostShared);
  }

  isShared(sessionId: string): boolean {
    return this.#shared.has(sessionId);
  }

  join(client: SharingClient): void {
    this.#open.set(client, new Set());
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
    open.add(sessionId);
    this.#tell(client, sessionId, true);
    const [oldest] = open;
    if (open.size > mostOpen && oldest !== undefined) {
      this.closed(client, oldest);
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
    for (const sessionId of [...(this.#open.get(client) ?? [])]) {
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
