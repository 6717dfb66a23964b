import type { SessionUpdate } from '../../protocol/updates';
import { measureWeight } from '../../util/weight';

const maxSessions = 16;
const maxUpdates = 100;
/** Per session, in the unit of `measureWeight`: a list of commands or a notice is all that comes this early. */
const maxWeight = 1024 * 1024;

interface Early {
  readonly updates: SessionUpdate[];
  weight: number;
}

/**
 * Buffers the updates of sessions that aren't open yet: agents send some before they answer session/new
 * (T-19). Bounded in number and size: a session keeps its first updates, and the oldest sessions are
 * dropped.
 */
export class EarlyUpdates {
  readonly #sessions = new Map<string, Early>();

  add(sessionId: string, update: SessionUpdate): void {
    let early = this.#sessions.get(sessionId);
    if (early === undefined) {
      early = { updates: [], weight: 0 };
      this.#sessions.set(sessionId, early);
      this.#dropOldest();
    }
    if (early.updates.length === maxUpdates) {
      return;
    }
    const weight = early.weight + measureWeight(update);
    if (weight <= maxWeight) {
      early.weight = weight;
      early.updates.push(update);
    }
  }

  /** Removes and returns the session's updates, in order of arrival. */
  take(sessionId: string): readonly SessionUpdate[] {
    const updates = this.#sessions.get(sessionId)?.updates ?? [];
    this.#sessions.delete(sessionId);
    return updates;
  }

  #dropOldest(): void {
    if (this.#sessions.size <= maxSessions) {
      return;
    }
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }
}
