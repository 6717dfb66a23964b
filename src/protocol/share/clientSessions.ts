import { isObject, type JsonObject } from '../../util/json';
import type { MayUse } from './clientMessages';
import { sessionIdIn } from './sessionIds';
import { listFor, rowsIn } from './sharedRows';
import type { SharedSessions, SharingClient } from './sharedSessions';
import type { WaitingRequest } from './waitingRequests';

/** UTF-16 units of an update that other clients are sent, too. */
const maxPassedOnLength = 64 * 1024;
/** Sessions at a time whose end of work is told to others. */
const maxWorkingSessions = 1000;

/** What the messages between a client and its process of the agent mean for the sessions, and for other clients. */
export class ClientSessions {
  readonly #client: SharingClient;
  readonly #sessions: SharedSessions;
  readonly #mayUse: MayUse;
  /** Sessions that the agent works in, as it has said in version 2. */
  readonly #working = new Set<string>();

  constructor(client: SharingClient, sessions: SharedSessions, mayUse: MayUse) {
    this.#client = client;
    this.#sessions = sessions;
    this.#mayUse = mayUse;
  }

  /** The client's request was passed on. */
  requested({ method, sessionId }: WaitingRequest): void {
    if (method === 'session/prompt') {
      this.#sessions.opened(this.#client, sessionId ?? '');
    }
  }

  /** What the agent's result of a request means; as the client may see it, and the session that has begun with it. */
  async answered(
    { method, sessionId = '' }: WaitingRequest,
    result: JsonObject,
  ): Promise<{ readonly result: JsonObject; readonly begun?: string | undefined }> {
    const [client, sessions] = [this.#client, this.#sessions];
    switch (method) {
      case 'session/list':
        return { result: await this.getRows(result) };
      case 'session/load':
      case 'session/resume':
        sessions.opened(client, sessionId);
        break;
      case 'session/close':
        sessions.closed(client, sessionId);
        break;
      case 'session/new':
      case 'session/fork': {
        const begun = sessionIdIn(result);
        sessions.share(begun ?? '');
        sessions.opened(client, begun ?? '');
        sessions.changedList(client);
        return { result, begun };
      }
      case 'session/delete':
        sessions.closed(client, sessionId);
        sessions.changedList(client);
        break;
      case 'session/prompt':
      case 'session/set_title':
      case 'session/archive':
      case 'session/unarchive':
        // A title, a time, or its place is another one.
        sessions.changedList(client);
    }
    return { result };
  }

  /** The sessions of a list that the client may use. Which those are, and which aren't, is known from now on. */
  async getRows(result: JsonObject): Promise<JsonObject> {
    const { shared, elsewhere } = await rowsIn(result, this.#mayUse);
    for (const sessionId of elsewhere) {
      this.#sessions.listedElsewhere(sessionId);
    }
    for (const row of shared) {
      this.#sessions.share(sessionIdIn(row) ?? '');
    }
    // Not before: what is different by now has been told already.
    return listFor(result, shared, (id) => this.#sessions.isOpenElsewhere(this.#client, id));
  }

  /** The agent's update of a session that is shared, with the length of its message; returns the subagent that it names. */
  updated(params: unknown, length: number): string | undefined {
    const [client, sessions] = [this.#client, this.#sessions];
    const { update } = isObject(params) ? params : {};
    const sessionId = sessionIdIn(params);
    if (!isObject(update) || sessionId === undefined) {
      return undefined;
    }
    switch (update['sessionUpdate']) {
      case 'session_info_update':
        if (length <= maxPassedOnLength) {
          sessions.pass(client, sessionId, update);
        }
        return undefined;
      case 'subagent_update':
        return this.#named(sessionIdIn(update));
      case 'subagent_spawned':
        return this.#named(sessionIdIn({ sessionId: update['subagentSessionId'] }));
      case 'state_update':
        this.#noteState(sessionId, update['state']);
    }
    return undefined;
  }

  #named(sessionId: string | undefined): string | undefined {
    this.#sessions.shareSubagent(sessionId ?? '');
    return sessionId;
  }

  /**
   * Notes the state. In version 2, a prompt is answered when it is taken: its turn ends later, and then the list is
   * different.
   */
  #noteState(sessionId: string, state: unknown): void {
    if (state !== 'idle') {
      if (this.#working.size < maxWorkingSessions) {
        this.#working.add(sessionId);
      }
    } else if (this.#working.delete(sessionId)) {
      this.#sessions.changedList(this.#client);
    }
  }
}
