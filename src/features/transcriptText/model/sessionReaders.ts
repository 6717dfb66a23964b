import type { Agent, SessionRow } from '../../../model/agent';
import type { KnownTranscripts } from '../../../model/kept/knownTranscripts';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';

/** Reads sessions without a tab: those that aren't open are loaded and closed again afterward. */
export class SessionReaders {
  readonly #sessions: Pick<Sessions, 'find' | 'open'>;
  readonly #isShown: (agentId: string, sessionId: string) => boolean;
  readonly #known: Pick<KnownTranscripts, 'recallWhole'>;
  /** The number of readers of each session that was opened only to be read. */
  readonly #readers = new Map<Session, number>();

  constructor(
    sessions: Pick<Sessions, 'find' | 'open'>,
    isShown: (agentId: string, sessionId: string) => boolean,
    known: Pick<KnownTranscripts, 'recallWhole'>,
  ) {
    this.#known = known;
    this.#sessions = sessions;
    this.#isShown = isShown;
  }

  /**
   * Runs `work` with the session once it has loaded or failed to; what it shows then is what is cached, if anything is.
   * Rejects when `signal` aborts. A session that
   * was opened for this is closed afterward unless a tab shows it by then.
   */
  async read<T>(
    agent: Agent,
    info: SessionRow['info'],
    signal: AbortSignal,
    work: (session: Session, isBorrowed: boolean) => T | Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const open = this.#sessions.find(agent.id, info.sessionId);
    const session = open ?? this.#sessions.open(agent, info);
    const isBorrowed = open === undefined || this.#readers.has(session);
    const stop = (): void => session.cancelLoad();
    if (isBorrowed) {
      this.#readers.set(session, (this.#readers.get(session) ?? 0) + 1);
      signal.addEventListener('abort', stop);
    }
    try {
      // The tab of a session that failed to load shows the failure; the text is whatever was loaded.
      await (isBorrowed || session.phase.kind === 'loading' ? session.load() : undefined);
      signal.throwIfAborted();
      if (isBorrowed && session.phase.kind === 'failed') {
        await this.#known.recallWhole(session);
      }
      return await work(session, isBorrowed);
    } finally {
      signal.removeEventListener('abort', stop);
      if (isBorrowed) {
        await this.#giveBack(session);
      }
    }
  }

  async #giveBack(session: Session): Promise<void> {
    const left = (this.#readers.get(session) ?? 1) - 1;
    if (left > 0) {
      this.#readers.set(session, left);
      return;
    }
    this.#readers.delete(session);
    if (!this.#isShown(session.agent.id, session.info.sessionId)) {
      await session.close();
    }
  }
}
