import { randomUUID } from 'node:crypto';
import {
  type ClientCapabilities,
  type ForkSessionRequest,
  type ForkSessionResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  type ResumeSessionRequest,
  type ResumeSessionResponse,
  type SessionInfo,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk/unstable';
import { availableCommands } from '../commands/commands';
import type { Client } from '../protocol/client';
import {
  changeMode,
  changeOption,
  configOptions,
  configUpdate,
  type DemoSettings,
  defaultSettings,
  firstSettings,
  modeState,
} from '../store/demoSettings';
import { canonicalFolder, checkedRoots, findBranch, requireAbsolute } from '../store/folders';
import { listSessions } from '../store/listSessions';
import type { SessionMeta } from '../store/records';
import type { SessionStore } from '../store/sessionStore';
import { type DemoUpdate, findSession } from '../vocabulary/demoUpdates';
import { RequestError, sessionNotFound, unusable } from '../vocabulary/requestErrors';
import { findForkPoint, historyUntil } from './forks';
import { OpenSession } from './openSession';
import { checkedTitle } from './title';

/** The first values of a new session's options, as drafted. */
interface FirstValues {
  readonly configOptions?: readonly Pick<SetSessionConfigOptionRequest, 'configId' | 'value'>[];
}

type Facts = Pick<SessionMeta, 'cwd' | 'additionalDirectories'>;

/** The agent's configuration, apart from the protocol. */
export interface AgentOptions {
  readonly version: string;
  readonly pageSize: number;
  /** Multiplies every pause in the scripts; 0 removes them. */
  readonly pace: number;
  /** Whether it tells the options of a session before there is one, and takes their first values (T-140). */
  readonly tellsOptions?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The agent's sessions, and those of them that are open on this connection. */
export class DemoSessions {
  readonly options: AgentOptions;
  /** Set by `initialize`. */
  #client: Client | undefined;
  readonly #store: SessionStore;
  readonly #open = new Map<string, OpenSession>();

  constructor(store: SessionStore, options: AgentOptions) {
    this.#store = store;
    this.options = options;
  }

  /** The client of this connection. Throws -32600 before it has initialized. */
  get client(): Client {
    if (this.#client === undefined) {
      throw new RequestError(-32600, 'The first request must be initialize');
    }
    return this.#client;
  }

  set client(client: Client) {
    this.#client = client;
  }

  get capabilities(): ClientCapabilities {
    return this.client.capabilities;
  }

  /** Throws -32002 if the session isn't open on this connection. */
  get(sessionId: string): OpenSession {
    const session = this.#open.get(sessionId);
    if (session === undefined) {
      throw sessionNotFound(sessionId);
    }
    return session;
  }

  /** What a new session would begin with. */
  firstOptions(request: NewSessionRequest): Omit<NewSessionResponse, 'sessionId'> {
    getFacts(request);
    return this.#stateOf(defaultSettings);
  }

  /** NEW-1 to NEW-8. Nothing is written before the first prompt. */
  create(request: NewSessionRequest & FirstValues): NewSessionResponse {
    const now = this.options.now();
    const first = this.options.tellsOptions === true ? (request.configOptions ?? []) : [];
    const meta: SessionMeta = {
      ...getFacts(request),
      sessionId: randomUUID(),
      title: '',
      titledByPerson: false,
      createdAt: now,
      updatedAt: now,
      archived: false,
      settings: firstSettings(first, this.capabilities),
    };
    const session = this.#add(meta, false);
    this.#tellCommandsLater(session);
    return { sessionId: meta.sessionId, ...this.#state(session) };
  }

  /** Replays the whole history, then responds (LOAD-4, LOAD-5). */
  async load(request: LoadSessionRequest, signal: AbortSignal): Promise<LoadSessionResponse> {
    const wasOpen = this.#open.has(request.sessionId);
    const session = await this.#reopen(request);
    try {
      const send = this.client.replay();
      await session.replay(
        (update) => this.#isKnownToClient(update),
        (update) => send(findSession(update) ?? request.sessionId, update),
        signal,
      );
    } catch (error) {
      if (!wasOpen) {
        this.#open.delete(request.sessionId);
      }
      throw error;
    }
    await this.#tellCommands(session);
    await session.tellState();
    return this.#state(session);
  }

  /** Continues without replaying the history (RES-4). */
  async resume(request: ResumeSessionRequest): Promise<ResumeSessionResponse> {
    const session = await this.#reopen(request);
    await this.#tellCommands(session);
    await session.tellState();
    return this.#state(session);
  }

  /** Creates a session with another one's history, or its beginning; it is open immediately, without a load. */
  async fork(request: ForkSessionRequest): Promise<ForkSessionResponse> {
    const facts = getFacts(request);
    const source = this.#open.get(request.sessionId);
    const origin = source?.meta ?? (await this.#store.find(request.sessionId));
    if (origin === undefined) {
      throw sessionNotFound(request.sessionId);
    }
    const now = this.options.now();
    const meta: SessionMeta = {
      ...origin,
      ...facts,
      sessionId: randomUUID(),
      title: origin.title === '' ? '' : `${origin.title} (fork)`,
      createdAt: now,
      updatedAt: now,
      archived: false,
    };
    const stored = source?.stored ?? true;
    if (stored) {
      const history = await this.#store.history(request.sessionId);
      const at = findForkPoint(request);
      const kept = at === undefined ? history : historyUntil(history, at);
      await this.#store.create(meta, kept);
    }
    const session = this.#add(meta, stored);
    this.#tellCommandsLater(session);
    return { sessionId: meta.sessionId, ...this.#state(session) };
  }

  list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    return listSessions(this.#store, request, this.options.pageSize, (meta) => this.#told(meta));
  }

  async delete(sessionId: string): Promise<void> {
    await this.#closeIfOpen(sessionId);
    await this.#store.delete(sessionId);
  }

  async archive(sessionId: string): Promise<void> {
    await this.patch(sessionId, { archived: true });
    await this.#closeIfOpen(sessionId);
  }

  async setTitle(sessionId: string, wanted: string): Promise<{ title: string }> {
    const title = checkedTitle(wanted);
    await this.patch(sessionId, { title, titledByPerson: true });
    return { title };
  }

  /** What a list says about a session beyond the stable protocol, in the place where Claude has it (T-46). */
  async #told({ sessionId, cwd }: SessionMeta): Promise<Pick<SessionInfo, '_meta'>> {
    const open = this.#open.get(sessionId);
    const gitBranch = await findBranch(cwd);
    const lastTurnEndedAt = open?.lastTurnEndedAt;
    const air = {
      ...(open && { state: open.isRunning ? 'running' : 'idle' }),
      ...(lastTurnEndedAt !== undefined && {
        lastTurnEndedAt: new Date(lastTurnEndedAt).toISOString(),
      }),
      ...(gitBranch !== undefined && { gitBranch }),
    };
    return Object.keys(air).length === 0 ? {} : { _meta: { jetbrains: { air } } };
  }

  /** CLOSE-4, CLOSE-5: throws -32002 for an unknown session; does nothing for one that isn't open. */
  async close(sessionId: string): Promise<void> {
    if (!this.#open.has(sessionId) && (await this.#store.find(sessionId)) === undefined) {
      throw sessionNotFound(sessionId);
    }
    await this.#closeIfOpen(sessionId);
  }

  async #closeIfOpen(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    this.#open.delete(sessionId);
    await session?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((sessionId) => this.#closeIfOpen(sessionId)));
  }

  cancel(sessionId: string): void {
    this.#open.get(sessionId)?.cancel();
    for (const { subagents } of this.#open.values()) {
      subagents.get(sessionId)?.abort();
    }
  }

  /** Changes a session's metadata, open or not; an open session without a file gets one. */
  async patch(sessionId: string, change: Partial<SessionMeta>): Promise<void> {
    const session = this.#open.get(sessionId);
    if (session === undefined) {
      await this.#store.patch(sessionId, change);
    } else {
      await session.save();
      await session.patch(change);
    }
  }

  /** The mode is also a config option, which is updated with it (CF-11). */
  async setMode(sessionId: string, modeId: string): Promise<void> {
    const session = this.get(sessionId);
    await session.patch({ settings: changeMode(session.meta.settings, modeId) });
    await session.send(configUpdate(session.meta.settings, this.capabilities));
  }

  async setConfigOption(
    request: SetSessionConfigOptionRequest,
  ): Promise<SetSessionConfigOptionResponse> {
    const session = this.get(request.sessionId);
    const before = session.meta.settings;
    const settings = changeOption(before, request, this.capabilities);
    await session.patch({ settings });
    if (settings.mode !== before.mode) {
      await session.send({ sessionUpdate: 'current_mode_update', currentModeId: settings.mode });
    }
    return { configOptions: configOptions(settings, this.capabilities) };
  }

  /**
   * Opens a stored session with the roots of this request, which replace its previous ones (LOAD-9,
   * DIR-4). The request's `cwd` must be the session's (T-12).
   */
  async #reopen(request: LoadSessionRequest | ResumeSessionRequest): Promise<OpenSession> {
    const { sessionId } = request;
    const { cwd, additionalDirectories } = getFacts(request);
    const open = this.#open.get(sessionId);
    const meta = open?.meta ?? (await this.#store.find(sessionId));
    if (meta === undefined) {
      throw sessionNotFound(sessionId);
    }
    if ((await canonicalFolder(cwd)) !== (await canonicalFolder(meta.cwd))) {
      throw unusable(`The session belongs to ${meta.cwd}: open it with that folder as cwd`);
    }
    const session = this.#open.get(sessionId) ?? this.#add(meta, true);
    if (additionalDirectories.join('\n') !== meta.additionalDirectories.join('\n')) {
      await session.patch({ additionalDirectories });
    }
    return session;
  }

  #add(meta: SessionMeta, stored: boolean): OpenSession {
    const { sessionId } = meta;
    const { client } = this;
    const session = new OpenSession(this.#store, meta, stored, (update) =>
      client.update(findSession(update) ?? sessionId, update),
    );
    this.#open.set(sessionId, session);
    return session;
  }

  #state(session: OpenSession): Required<Pick<LoadSessionResponse, 'modes' | 'configOptions'>> {
    return this.#stateOf(session.meta.settings);
  }

  #stateOf(settings: DemoSettings): Required<Pick<LoadSessionResponse, 'modes' | 'configOptions'>> {
    return {
      modes: modeState(settings),
      configOptions: configOptions(settings, this.capabilities),
    };
  }

  #tellCommands(session: OpenSession): Promise<void> {
    return session.send({
      sessionUpdate: 'available_commands_update',
      availableCommands: availableCommands(this.capabilities),
    });
  }

  /** Tells the commands after the response: before it, the client doesn't know the session's id (NEW-8, CM-3). */
  #tellCommandsLater(session: OpenSession): void {
    setImmediate(() => {
      // Fails only if the connection is closed; then nobody is left to notify.
      this.#tellCommands(session).catch(() => undefined);
    });
  }

  /** CP-1, SUB-1: compactions and subagents are only sent to clients that support them. */
  #isKnownToClient(update: DemoUpdate): boolean {
    const { session, subagents } = this.capabilities;
    const { sessionUpdate } = update;
    const isOfSubagent = sessionUpdate.startsWith('subagent_') || findSession(update) !== undefined;
    return (
      (Boolean(session?.compaction) || !sessionUpdate.startsWith('compaction_')) &&
      (Boolean(subagents) || !isOfSubagent)
    );
  }
}

function getFacts(request: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
}): Facts {
  requireAbsolute('cwd', request.cwd);
  return {
    cwd: request.cwd,
    additionalDirectories: checkedRoots(request.cwd, request.additionalDirectories),
  };
}
