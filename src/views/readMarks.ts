import type { SessionMarks } from '../model/marks';
import type { Session } from '../model/session';
import { timestampOf } from '../model/timestamps';
import { type Disposable, DisposableStore } from '../util/disposable';
import type { Event } from '../util/emitter';
import type { Attention, HappeningSessions } from './attention';

/** The sessions that can be seen. */
export interface SeenSessions extends HappeningSessions {
  readonly all: readonly Session[];
  readonly onDidChange: Event<Session>;
}

/** Notes what a person has seen of each session, so that what comes later is unread in every window. */
export class ReadMarks implements Disposable {
  readonly #marks: Pick<SessionMarks, 'see'>;
  readonly #attention: Pick<Attention, 'isVisible' | 'onDidShow'>;
  readonly #now: () => number;
  readonly #store = new DisposableStore();

  constructor(
    marks: Pick<SessionMarks, 'see'>,
    attention: Pick<Attention, 'isVisible' | 'onDidShow'>,
    sessions: SeenSessions,
    now: () => number = Date.now,
  ) {
    this.#marks = marks;
    this.#attention = attention;
    this.#now = now;
    this.#store.add(
      attention.onDidShow((shown) => {
        const session = sessions.all.find((other) => other === shown);
        if (session !== undefined) {
          this.#see(session);
        }
      }),
    );
    this.#store.add(sessions.onDidChange((session) => this.#see(session)));
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind === 'turnEnded') {
          // The agent will list a time for what was just seen; until then ours is the best guess.
          this.#see(session, this.#now());
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #see(session: Session, least = 0): void {
    const { agent, info, phase } = session;
    if (!this.#attention.isVisible(session) || phase.kind === 'failed') {
      return;
    }
    const updatedAt = Math.max(timestampOf(info.updatedAt) ?? 0, least);
    void this.#marks.see({ agentId: agent.id, sessionId: info.sessionId }, updatedAt);
  }
}
