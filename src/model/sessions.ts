import type { SessionInfo } from '../protocol/agentConnection';
import { type Disposable, DisposableStore } from '../util/disposable';
import { Emitter } from '../util/emitter';
import type { Agent, SessionList } from './agent';
import type { Agents, AgentUpdate } from './agents';
import { EarlyUpdates } from './earlyUpdates';
import type { Log } from './ports';
import { Session, type SessionLimits, sessionLimits } from './session';

export interface SessionsOptions {
  readonly agents: Agents;
  readonly log: Log;
  readonly limits?: SessionLimits;
}

/** What is kept for one agent. */
interface AgentSessions {
  readonly open: Map<string, Session>;
  /** Sessions that the agent is letting go of. */
  readonly closing: Map<string, Promise<void>>;
  early: EarlyUpdates;
}

/** The open sessions of all agents, and the one place where updates find theirs (UP-1). */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<Session>());
  /** A session was opened or closed, or its phase or title changed. */
  readonly onDidChange = this.#changed.event;
  readonly #agents = new Map<string, AgentSessions>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { agents } = options;
    this.#store.add(
      agents.onDidUpdate((update) => {
        this.#route(update);
      }),
    );
    this.#store.add(
      agents.onDidChangeAgent((agent) => {
        this.#agentChanged(agent);
      }),
    );
    this.#store.add(
      agents.onDidList((list) => {
        this.#takeInfos(list);
      }),
    );
  }

  get all(): readonly Session[] {
    return [...this.#agents.values()].flatMap(({ open }) => [...open.values()]);
  }

  find(agentId: string, sessionId: string): Session | undefined {
    return this.#agents.get(agentId)?.open.get(sessionId);
  }

  /** The session, open from now until its `close`; the same one for everybody. Loads nothing. */
  open(agent: Agent, info: SessionInfo): Session {
    const { id } = agent;
    const { sessionId } = info;
    const sessions = this.#of(id);
    const existing = sessions.open.get(sessionId);
    if (existing !== undefined) {
      return existing;
    }
    const session = new Session(agent, info, {
      limits: this.#options.limits ?? sessionLimits,
      log: this.#options.log,
      currentAgent: () => this.#options.agents.get(id),
      closing: sessions.closing.get(sessionId) ?? Promise.resolve(),
      onClosed: (gone) => this.#closed(session, sessions, gone),
    });
    sessions.open.set(sessionId, session);
    session.onDidChange(() => this.#changed.fire(session));
    for (const update of sessions.early.take(sessionId)) {
      session.receive(update);
    }
    this.#changed.fire(session);
    return session;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #of(agentId: string): AgentSessions {
    let sessions = this.#agents.get(agentId);
    if (sessions === undefined) {
      sessions = { open: new Map(), closing: new Map(), early: new EarlyUpdates() };
      this.#agents.set(agentId, sessions);
    }
    return sessions;
  }

  #route({ agent, sessionId, update }: AgentUpdate): void {
    const sessions = this.#of(agent.id);
    const session = sessions.open.get(sessionId);
    if (session === undefined) {
      sessions.early.add(sessionId, update);
    } else {
      session.receive(update);
    }
  }

  #agentChanged(agent: Agent): void {
    const sessions = this.#of(agent.id);
    if (agent.state.kind !== 'ready') {
      sessions.early = new EarlyUpdates();
    }
    for (const session of sessions.open.values()) {
      session.agentChanged();
    }
  }

  /** Titles that an agent doesn't push come with its list. */
  #takeInfos(list: SessionList): void {
    for (const session of this.#of(list.agent.id).open.values()) {
      const row = list.find(session.info.sessionId);
      if (row !== undefined) {
        session.setInfo(row.info);
      }
    }
  }

  #closed(session: Session, sessions: AgentSessions, gone: Promise<void>): void {
    const { sessionId } = session.info;
    sessions.open.delete(sessionId);
    sessions.closing.set(sessionId, gone);
    void gone.finally(() => {
      if (sessions.closing.get(sessionId) === gone) {
        sessions.closing.delete(sessionId);
      }
    });
    this.#changed.fire(session);
  }
}
