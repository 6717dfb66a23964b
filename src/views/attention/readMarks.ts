import { type Agent, isConfigured, type SessionList } from '../../model/agent';
import { getKey } from '../../model/list/sessionInfo';
import type { SessionMarks } from '../../model/marks/marks';
import type { StoredTexts } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { findTimestamp } from '../../model/text/timestamps';
import { getRef, readSessionRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { asArray, isObject, parseJson } from '../../util/json';
import type { Attention, HappeningSessions } from './attention';

/** The open sessions and their changes. */
export interface SeenSessions extends HappeningSessions {
  readonly all: readonly Session[];
  readonly onDidChange: Event<Session>;
}

/** The source of the lists that agents return. */
export interface ListingAgents {
  readonly onDidList: Event<SessionList>;
  /** The state of an agent has changed. */
  readonly onDidChangeAgent: Event<Agent>;
}

type Marks = Pick<SessionMarks, 'see' | 'setUnread' | 'get' | 'isUnread'>;

/** An update that an agent dates up to this long after a close, or its own end, in ms, is just that. */
const closeMs = 15_000;
/** Sessions of a process that were read and closed again: the latest ones. */
const maxReleasedSessions = 500;
/** The text in which a window leaves what was read at its end. */
const name = '0'.repeat(64);

/** Records how far the user has read each session, so that later activity is unread in every window. */
export class ReadMarks implements Disposable {
  readonly #marks: Marks;
  readonly #attention: Pick<Attention, 'isVisible' | 'isUnread' | 'onDidShow'>;
  /** Open sessions that the user has seen up to their latest content. */
  readonly #seen = new WeakSet<Session>();
  /**
   * Sessions that were read and closed again, by agent: its process may date them anew when it ends. One that is
   * listed as newer before has gone on elsewhere.
   */
  readonly #released = new Map<string, Map<string, SessionRef>>();
  readonly #sessions: SeenSessions;
  readonly #texts: StoredTexts;
  readonly #now: () => number;
  readonly #store = new DisposableStore();

  constructor(
    marks: Marks,
    attention: Pick<Attention, 'isVisible' | 'isUnread' | 'onDidShow'>,
    sessions: SeenSessions,
    agents: ListingAgents,
    texts: StoredTexts,
    now: () => number = Date.now,
  ) {
    this.#sessions = sessions;
    this.#texts = texts;
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
        sessions.all.includes(session) ? this.#changed(session) : this.#closed(session),
      ),
    );
    this.#store.add(
      agents.onDidChangeAgent(({ id, state }) => {
        if (state.kind === 'stopped' || state.kind === 'failed') {
          this.#ended(id);
        }
      }),
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
        this.#dropNewer(list);
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

  /** Takes over what the window before has left. Never rejects. */
  async begin(): Promise<void> {
    const text = (await this.#texts.readAll().catch(() => undefined))?.get(name);
    const left = text === undefined ? undefined : parseJson(text);
    if (!isObject(left) || typeof left['time'] !== 'number' || left['time'] > this.#now()) {
      return;
    }
    const until = left['time'] + closeMs;
    for (const value of asArray(left['sessions'])) {
      const ref = readSessionRef(value);
      if (ref !== undefined) {
        await this.#marks.see(ref, until);
      }
    }
    await this.#texts.remove(name).catch(() => undefined);
  }

  /** The window closes, and ends the agents, which may date their sessions anew then. */
  async end(): Promise<void> {
    const agentIds = new Set([
      ...this.#sessions.all.map(({ agent }) => agent.id),
      ...this.#released.keys(),
    ]);
    const sessions = [...agentIds].flatMap((agentId) => this.#getReadSessions(agentId));
    if (sessions.length > 0) {
      // In a file: VS Code may not take any more state.
      await this.#texts.write(name, JSON.stringify({ time: this.#now(), sessions }));
    }
  }

  #changed(session: Session): void {
    const { agent, info, phase } = session;
    const { agentId, sessionId } = getRef(session);
    const isRead =
      phase.kind === 'loading' &&
      this.#marks.get(agentId, sessionId).read !== undefined &&
      !this.#marks.isUnread(agentId, sessionId, findTimestamp(info.updatedAt));
    if (isRead && isConfigured(agent)) {
      // That it is loaded isn't news either.
      this.#seen.add(session);
    }
    this.#see(session);
  }

  /** Notes that an agent's process has ended, or ends now. */
  #ended(agentId: string): void {
    for (const ref of this.#getReadSessions(agentId)) {
      void this.#marks.see(ref, this.#now() + closeMs);
    }
    this.#released.delete(agentId);
  }

  /** What is read of the sessions that an agent's process has had open. */
  #getReadSessions(agentId: string): readonly SessionRef[] {
    const open = this.#sessions.all.filter(
      (session) =>
        session.agent.id === agentId && isConfigured(session.agent) && this.#isRead(session),
    );
    return [...open.map(getRef), ...(this.#released.get(agentId)?.values() ?? [])];
  }

  #release(session: Session): void {
    const ref = getRef(session);
    if (!isConfigured(session.agent)) {
      return;
    }
    const released = this.#released.get(ref.agentId) ?? new Map<string, SessionRef>();
    this.#released.set(ref.agentId, released);
    released.set(getKey(ref), ref);
    const [oldest] = released.keys();
    if (released.size > maxReleasedSessions && oldest !== undefined) {
      released.delete(oldest);
    }
  }

  #dropNewer(list: SessionList): void {
    const released = this.#released.get(list.agent.id);
    for (const [key, { agentId, sessionId }] of released ?? []) {
      if (this.#marks.isUnread(agentId, sessionId, list.find(sessionId)?.updatedAt)) {
        released?.delete(key);
      }
    }
  }

  #see(session: Session, least = 0): void {
    if (this.#attention.isVisible(session) && session.phase.kind !== 'failed') {
      this.#seen.add(session);
      this.#note(session, Math.max(findTimestamp(session.info.updatedAt) ?? 0, least));
    }
  }

  #closed(session: Session): void {
    if (this.#attention.isUnread(session)) {
      // The session continued without a tab and is released now: its row keeps the mark.
      const marked = this.#marks.setUnread([getRef(session)]);
      // Not a user action, so a failure isn't reported; writing the next mark also writes this one.
      marked.catch(() => undefined);
    }
    if (this.#isRead(session)) {
      this.#release(session);
      this.#seen.delete(session);
      this.#note(session, this.#now() + closeMs);
    }
  }

  #isRead(session: Session): boolean {
    return (
      this.#seen.has(session) && !this.#attention.isUnread(session) && !session.elsewhere.wentOn
    );
  }

  #note(session: Session, updatedAt: number): void {
    if (isConfigured(session.agent)) {
      void this.#marks.see(getRef(session), updatedAt);
    }
  }
}
