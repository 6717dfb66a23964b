import type { Agent } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import type { Sessions } from '../../../model/session/sessions';
import type { SharedSessions, SharingClient } from '../../../protocol/share/sharedSessions';
import { infoUpdate, readHeard } from '../../../protocol/share/sharedUpdates';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { JsonObject } from '../../../util/json';

export interface WindowClientServices {
  readonly agents: Pick<Agents, 'onDidUpdate'>;
  readonly sessions: Pick<Sessions, 'all' | 'onDidChange' | 'onDidDelete' | 'onDidHappen'>;
  /** Whether any other client has a session open, by the id of an agent that is shared. */
  readonly openElsewhere: Map<string, (sessionId: string) => boolean>;
}

/** The window that shares an agent is one of its clients, with the process that it has anyway. */
export class WindowClient implements SharingClient, Disposable {
  readonly #store = new DisposableStore();
  readonly #agent: Agent;
  /** Whether the agent is taking what it hears, which isn't passed on again. */
  #isHearing = false;

  constructor(
    agent: Agent,
    shared: SharedSessions,
    { agents, sessions, openElsewhere }: WindowClientServices,
  ) {
    this.#agent = agent;
    shared.join(this);
    const own = (): void => {
      const open = sessions.all.filter((session) => session.agent === agent && session.isLive);
      shared.setOpen(
        this,
        open.map(({ info }) => info.sessionId),
      );
    };
    own();
    openElsewhere.set(agent.id, (sessionId) => shared.isOpenElsewhere(this, sessionId));
    this.#store.add({
      dispose: () => {
        openElsewhere.delete(agent.id);
        shared.leave(this);
      },
    });
    this.#store.add(sessions.onDidChange((session) => session.agent === agent && own()));
    this.#store.add(
      sessions.onDidDelete(({ agentId }) => agentId === agent.id && shared.changedList(this)),
    );
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (session.agent === agent && kind === 'turnEnded') {
          shared.changedList(this);
        }
      }),
    );
    this.#store.add(
      agents.onDidUpdate(({ agent: by, sessionId, update }) => {
        const isOurs = by === agent && !this.#isHearing;
        if (isOurs && update.sessionUpdate === 'session_info_update') {
          shared.pass(this, sessionId, infoUpdate(update));
        }
      }),
    );
  }

  openElsewhere(sessionId: string, isOpen: boolean): void {
    const said = { sessionUpdate: 'session_info_update' as const, openElsewhere: isOpen };
    this.#hear(() => this.#agent.hear({ sessionId, update: said }));
  }

  heard(sessionId: string, update: JsonObject): void {
    const event = readHeard(sessionId, update);
    if (event !== undefined) {
      this.#hear(() => this.#agent.hear(event));
    }
  }

  listChanged(): void {
    this.#agent.lists.changed();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #hear(take: () => void): void {
    this.#isHearing = true;
    take();
    this.#isHearing = false;
  }
}
