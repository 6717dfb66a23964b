import type { SessionUpdate } from '../protocol/updates';

const mostSessions = 16;
const mostUpdates = 100;

/**
 * Updates of sessions that nobody has opened, for when somebody does: agents send some before they
 * answer session/new (T-19). Bounded: the first ones of a session stay, the oldest sessions go.
 */
export class EarlyUpdates {
  readonly #sessions = new Map<string, SessionUpdate[]>();

  add(sessionId: string, update: SessionUpdate): void {
    const updates = this.#sessions.get(sessionId);
    if (updates === undefined) {
      this.#sessions.set(sessionId, [update]);
      this.#dropOldest();
    } else if (updates.length < mostUpdates) {
      updates.push(update);
    }
  }

  /** In order of arrival; they are kept no longer. */
  take(sessionId: string): readonly SessionUpdate[] {
    const updates = this.#sessions.get(sessionId) ?? [];
    this.#sessions.delete(sessionId);
    return updates;
  }

  #dropOldest(): void {
    if (this.#sessions.size <= mostSessions) {
      return;
    }
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }
}
