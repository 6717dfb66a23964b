import type { SessionUpdateEvent } from '../agentConnection';
import { AcpError } from '../errors';
import type { AgentRpc } from '../rpc/agentRpc';
import type { WorkEnd } from './sentPrompt';
import { SessionWork } from './sessionWork';

/** Maximum number of sessions an agent works in at once; of the others, the state isn't kept. */
const maxSessions = 1000;

/**
 * How long work may take to begin after its prompt was inserted. It decides only for agents that don't report their
 * work, or don't send prompts back, as they must.
 */
const graceMs = 1000;

/** The work of an agent in all sessions of a connection. */
export class WorkOfSessions {
  readonly #sessions = new Map<string, SessionWork>();

  /** Sees each update before those who subscribe later, so that the end of a turn never precedes what came before it. */
  constructor(rpc: AgentRpc) {
    rpc.onUpdate((event) => this.#note(event));
    rpc.onClosed((error) => this.#settleAll({ error }));
  }

  of(sessionId: string): SessionWork {
    const found = this.#sessions.get(sessionId);
    if (found) {
      return found;
    }
    const work = new SessionWork(graceMs);
    this.#sessions.set(sessionId, work);
    if (this.#sessions.size > maxSessions) {
      this.#dropOldest();
    }
    return work;
  }

  /** The user cancels the work; returns whether there may be some (V2-TURN-14, V2-TURN-15). */
  cancelling(sessionId: string): boolean {
    const work = this.#sessions.get(sessionId);
    work?.cancelling();
    return work?.isAtRest !== true;
  }

  /** The session is closed or deleted; what still waits for it was canceled (V2-CLOSE-2). */
  forget(sessionId: string): void {
    this.#sessions.get(sessionId)?.settle({ stopReason: 'cancelled' });
    this.#sessions.delete(sessionId);
  }

  /** Notes that this side has ended the connection. */
  end(): void {
    this.#settleAll({ error: new AcpError('cancelled', 'The connection was closed') });
  }

  #note({ sessionId, update }: SessionUpdateEvent): void {
    switch (update.sessionUpdate) {
      case 'state_update':
        this.of(sessionId).noteActivity(update);
        break;
      case 'user_message':
      case 'user_message_chunk':
        this.#sessions.get(sessionId)?.noteMessage(update.messageId);
        break;
      default:
    }
  }

  #settleAll(end: WorkEnd): void {
    for (const work of this.#sessions.values()) {
      work.settle(end);
    }
  }

  #dropOldest(): void {
    for (const [sessionId, work] of this.#sessions) {
      if (!work.isPrompted) {
        this.#sessions.delete(sessionId);
        return;
      }
    }
  }
}
