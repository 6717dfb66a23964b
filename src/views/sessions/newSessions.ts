import type { SessionList, SessionRow } from '../../model/agent';
import { isInside } from '../../model/roots';
import type { Session } from '../../model/session';
import { sessionKey } from '../../model/sessionInfo';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';

/** The part of the model that knows how a session goes on. */
export interface OngoingSessions {
  readonly all: readonly Session[];
  readonly onDidChange: Event<Session>;
  readonly onDidHappen: Event<{ readonly session: Session; readonly kind: string }>;
}

/** Sessions that were made in this window: most agents list them only after their first prompt. */
export class NewSessions implements Disposable {
  readonly #sessions: OngoingSessions;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<Session>());
  /** One came, went, or looks different. */
  readonly onDidChange = this.#changed.event;
  readonly #ripened = this.#store.add(new Emitter<Session>());
  /** The agent should list it by now. */
  readonly onDidRipen = this.#ripened.event;
  /** With the time when each was made. */
  readonly #made = new Map<Session, number>();

  constructor(sessions: OngoingSessions, now: () => number = Date.now) {
    this.#sessions = sessions;
    this.#now = now;
    this.#store.add(sessions.onDidChange((session) => this.#look(session)));
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind === 'turnEnded' && this.#made.has(session)) {
          this.#ripened.fire(session);
        }
      }),
    );
  }

  add(session: Session): void {
    this.#made.set(session, this.#now());
    this.#changed.fire(session);
  }

  /** Those that the list lacks, newest first. */
  missingIn(list: SessionList): SessionRow[] {
    const { agent, folder } = list;
    return [...this.#made]
      .reverse()
      .filter(
        ([session]) => session.agent.id === agent.id && isInside(session.info.cwd, [folder.path]),
      )
      .filter(([session]) => list.find(session.info.sessionId) === undefined)
      .map(([{ info, title }, updatedAt]) => ({
        key: sessionKey(agent.id, info.sessionId),
        agentId: agent.id,
        info,
        title,
        updatedAt,
      }));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(session: Session): void {
    if (!this.#made.has(session)) {
      return;
    }
    if (!this.#sessions.all.includes(session)) {
      this.#made.delete(session);
      this.#ripened.fire(session);
    }
    this.#changed.fire(session);
  }
}
