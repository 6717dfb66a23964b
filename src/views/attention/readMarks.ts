import type { SessionList } from '../../model/agents/agent';
import type { SessionMarks } from '../../model/marks/marks';
import type { Session } from '../../model/session/session';
import { timestampOf } from '../../model/text/timestamps';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import type { Attention, HappeningSessions } from './attention';

/** The open sessions and their changes. */
export interface SeenSessions extends HappeningSessions {
  readonly all: readonly Session[];
  readonly onDidChange: Event<Session>;
}

/** The source of the lists that agents return. */
export interface ListingAgents {
  readonly onDidList: Event<SessionList>;
}

/** An update that an agent dates up to this long after a close, in ms, is the close itself. */
const closeMs = 15_000;

/** Records how far the user has read each session, so that later activity is unread in every window. */
export class ReadMarks implements Disposable {
  readonly #marks: Pick<SessionMarks, 'see' | 'setUnread'>;
  readonly #attention: Pick<Attention, 'isVisible' | 'isUnread' | 'onDidShow'>;
  /** Open sessions that the user has seen up to their latest content. */
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
    // Agents update a session's time when they load or close it; there is nothing new to read then.
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
          // The agent will list its own time for the turn just seen; until then ours is the best estimate.
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
      // The session continued without a tab and is released now: its row keeps the mark.
      const { agent, info } = session;
      const marked = this.#marks.setUnread([{ agentId: agent.id, sessionId: info.sessionId }]);
      // Not a user action, so a failure isn't reported; writing the next mark also writes this one.
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
    if (!agent.config.transport) {
      void this.#marks.see({ agentId: agent.id, sessionId: info.sessionId }, updatedAt);
    }
  }
}
