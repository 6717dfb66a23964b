import type { SessionUpdate } from '../../protocol/updates';
import { weightOf } from '../transcript/weight';

const mostSessions = 16;
const mostUpdates = 100;
/** Of one session, in the unit of `weightOf`: what comes before an answer is a list of commands, or a notice. */
const mostWeight = 1024 * 1024;

interface Early {
  readonly updates: SessionUpdate[];
  weight: number;
}

/**
 * Updates of sessions that nobody has opened, for when somebody does: agents send some before they
 * answer session/new (T-19). Bounded in number and in size, and so in sum: the first ones of a session stay,
 * the oldest sessions go.
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
    if (early.updates.length === mostUpdates) {
      return;
    }
    const weight = early.weight + weightOf(update);
    if (weight <= mostWeight) {
      early.weight = weight;
      early.updates.push(update);
    }
  }

  /** In order of arrival; they are kept no longer. */
  take(sessionId: string): readonly SessionUpdate[] {
    const updates = this.#sessions.get(sessionId)?.updates ?? [];
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
