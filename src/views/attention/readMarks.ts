import type { SessionList } from '../../model/agents/agent';
import type { SessionMarks } from '../../model/marks/marks';
import type { Session } from '../../model/session/session';
import { timestampOf } from '../../model/text/timestamps';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import type { Attention, HappeningSessions } from './attention';

/** The sessions that can be seen. */
export interface SeenSessions extends HappeningSessions {
  readonly all: readonly Session[];
  readonly onDidChange: Event<Session>;
}

/** The lists that agents give, as they come. */
export interface ListingAgents {
  readonly onDidList: Event<SessionList>;
}

/** A change that an agent dates within this time of a close, in ms, is the close itself. */
const closeMs = 15_000;

/** Notes what a person has seen of each session, so that what comes later is unread in every window. */
export class ReadMarks implements Disposable {
  readonly #marks: Pick<SessionMarks, 'see' | 'setUnread'>;
  readonly #attention: Pick<Attention, 'isVisible' | 'isUnread' | 'onDidShow'>;
  /** Open sessions that were seen to the end of what had come. */
  readonly #seen = new WeakSet<Session>();
  readonly #now: () => number;
  readonly #store = new DisposableStore();

  constructor(
    marks: Pick<SessionMarks, 'see' | 'setUnread'>,
    attention: Pick<Attention, 'isVisible' | 'isUnread' | 'onDidShow'>,
    sessions: SeenSessions,
    agents: ListingAgents,
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
    this.#store.add(
      sessions.onDidChange((session) =>
        sessions.all.includes(session) ? this.#see(session) : this.#closed(session),
      ),
    );
    // Agents date a session anew when they load or close it, which is nothing new to read.
    this.#store.add(
      agents.onDidList((list) => {
        for (const session of sessions.all) {
          const { agent, info } = session;
          const row = agent === list.agent ? list.find(info.sessionId) : undefined;
          if (row !== undefined && this.#isRead(session)) {
            this.#note(session, row.updatedAt ?? 0);
          }
        }
      }),
    );
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
    if (this.#attention.isVisible(session) && session.phase.kind !== 'failed') {
      this.#seen.add(session);
      this.#note(session, Math.max(timestampOf(session.info.updatedAt) ?? 0, least));
    }
  }

  #closed(session: Session): void {
    if (this.#attention.isUnread(session)) {
      // It went on without a tab and is let go: the mark stays on its row.
      const { agent, info } = session;
      const marked = this.#marks.setUnread([{ agentId: agent.id, sessionId: info.sessionId }]);
      // Nobody has asked for it, so nobody is told; the next mark brings it, too.
      marked.catch(() => undefined);
    }
    if (this.#isRead(session)) {
      this.#seen.delete(session);
      this.#note(session, this.#now() + closeMs);
    }
  }

  #isRead(session: Session): boolean {
    return (
      this.#seen.has(session) && !this.#attention.isUnread(session) && !session.elsewhere.wentOn
    );
  }

  #note({ agent, info }: Session, updatedAt: number): void {
    void this.#marks.see({ agentId: agent.id, sessionId: info.sessionId }, updatedAt);
  }
}
