import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type {
  AgentConnection,
  NewPlace,
  OpenedSession,
  SessionInfo,
} from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionRef } from '../../shared/sessionRef';
import type { TurnFacts } from '../../shared/transcript/entries';
import { withTimeout } from '../../util/async';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import type { Agent, SessionList } from '../agent';
import type { Agents } from '../agents/agents';
import { askCurrent } from '../agents/askCurrent';
import type { AgentUpdate } from '../agents/managedAgent';
import type { TurnRecorders } from '../changes/turnRecorder';
import { describeFailure } from '../failures/failures';
import { isTitledByPrompt } from '../list/promptTitles';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { SessionPlaces } from '../places/sessionPlaces';
import type {
  Log,
  McpServers,
  PermissionRules,
  SessionDefaults,
  SystemPrompts,
  Terminals,
  Workspace,
  WorkspaceFolder,
} from '../ports';
import type { FileRequests } from '../requests/fileRequests';
import type { TurnNotes } from '../transcript/turnNotes/turnNotes';
import { applyDefaults } from './defaults';
import { EarlyUpdates } from './earlyUpdates';
import { type Beginning, FirstOptions } from './firstOptions';
import { askOwnServer, type OwnServers, type SessionOpening } from './ownServers';
import type { ProvidedContext } from './providedContext';
import { RequestRouter } from './requestRouter';
import { Session } from './session';
import type { Happening } from './sessionHost';
import { type SessionLimits, sessionLimits, settingsFor } from './sessionLink';

/** How long prepared sessions may take to be discarded when the window ends, in ms. */
const discardMs = 1_000;

export interface SessionsOptions {
  readonly agents: Agents;
  readonly log: Log;
  readonly files: FileRequests;
  readonly terminals: Terminals;
  readonly rules: PermissionRules;
  readonly mcp: McpServers;
  readonly ownServers?: OwnServers | undefined;
  readonly promptContext: Pick<ProvidedContext, 'read'>;
  readonly systemPrompts?: SystemPrompts | undefined;
  readonly places: SessionPlaces;
  readonly remembered: Pick<RememberedSessions, 'forget'>;
  readonly limits?: SessionLimits;
  readonly recorders?: TurnRecorders;
  readonly notes?: Pick<TurnNotes, 'of' | 'note'>;
}

/** An event in a session that is worth a notification while it isn't visible. */
export interface SessionHappening {
  readonly session: Session;
  readonly kind: Happening;
  /** The turn that has ended, if its prompt was sent. */
  readonly turn?: TurnFacts | undefined;
}

/** The options for a session that was created here and not taken from a list. */
interface Creation {
  /** Folders that the user has chosen for it. */
  readonly chosen?: readonly string[];
  readonly begin?: (session: Session) => void;
  /** Whether it is one of `AgentSessions.prepared`. */
  readonly isPrepared?: boolean;
}

interface CreateOptions {
  /** What the user has chosen before there is a session. */
  readonly beginning?: Beginning | undefined;
  /** The session that it takes the place of. */
  readonly instead?: Session;
  /** Whether it waits for its first prompt where nobody sees it, until `publish`. */
  readonly isPrepared?: boolean;
}

export interface ForkOptions {
  /** The message with which the fork should end, see `ForkTarget`; without it, the fork has the whole history. */
  readonly at?: string;
  /** The title until the agent sets one. */
  readonly title?: string;
  readonly signal?: AbortSignal;
}

interface AgentSessions {
  readonly open: Map<string, Session>;
  /** Those that the agent has opened, and that only who asked for them knows, see `Sessions.prepare`. */
  readonly prepared: Map<string, Session>;
  /** Sessions that the agent is closing. */
  readonly closing: Map<string, Promise<void>>;
  /** The sessions whose subagents have these ids. */
  readonly subagents: Map<string, Session>;
  early: EarlyUpdates;
}

/** The open sessions of all agents; routes each update to its session (UP-1). */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<Session>());
  /** Fires when a session was opened or closed, or its phase, title, turn or requests have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #happened = this.#store.add(new Emitter<SessionHappening>());
  readonly onDidHappen = this.#happened.event;
  readonly #deleted = this.#store.add(new Emitter<SessionRef>());
  /** Fires when an agent has deleted a session at our request. */
  readonly onDidDelete = this.#deleted.event;
  readonly #agents = new Map<string, AgentSessions>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { agents } = options;
    agents.serve({
      getRequests: (agent) => this.#getRouter(agent),
      isBusy: ({ id }) => [...this.#of(id).open.values()].some(({ isBusy }) => isBusy),
    });
    this.#store.add(this.onDidChange(() => agents.workEnded()));
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
    this.#store.add(agents.onDidRestart((agent) => this.#restarted(agent)));
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

  /** The entries that wait for an answer, across all agents, longest waiting first. */
  get waiting(): readonly { readonly session: Session; readonly index: number }[] {
    return this.all
      .flatMap((session) => session.requests.waiting.map((index) => ({ session, index })))
      .sort((a, b) => getRequestId(a) - getRequestId(b));
  }

  /** Returns the open session, creating it if needed; it stays open until its `close`. Loads nothing. */
  open(agent: Agent, info: SessionInfo): Session {
    return this.find(agent.id, info.sessionId) ?? this.#create(agent.current, info);
  }

  /**
   * The options of a new session in this folder before there is one (T-140); `undefined` if the agent doesn't tell, or
   * not in time. Rejects with `AcpError` if it needs a login for that or can't be asked, also when `signal` aborts.
   */
  async firstOptions(
    asked: Agent,
    folder: WorkspaceFolder,
    signal?: AbortSignal,
  ): Promise<FirstOptions | undefined> {
    const { places, log } = this.#options;
    const cwd = places.moved.getPlace(asked.id, folder.path);
    return askCurrent(asked, async ({ id }, connection) => {
      if (!connection.capabilities.options) {
        return undefined;
      }
      const additionalDirectories = rootsFor(connection, places, cwd);
      try {
        const place = { cwd, additionalDirectories };
        return new FirstOptions(await connection.newSessionOptions(place, signal));
      } catch (error) {
        const code = error instanceof AcpError ? error.code : undefined;
        if (code === undefined || code === 'authRequired' || signal?.aborted === true) {
          throw error;
        }
        log.warn(`${id}: session/options: ${code}`);
        return undefined;
      }
    });
  }

  /**
   * `session/new` in this folder (NEW-1 to NEW-3), with what the user has chosen for it, or their defaults for this
   * agent. Rejects with `AcpError`, also when `signal` aborts.
   */
  async create(
    asked: Agent,
    folder: WorkspaceFolder,
    signal?: AbortSignal,
    { beginning, instead, isPrepared = false }: CreateOptions = {},
  ): Promise<Session> {
    const { places } = this.#options;
    const cwd = places.moved.getPlace(asked.id, folder.path);
    await places.mustBeThere(cwd);
    const options = beginning?.sent;
    const { agent, connection, additionalDirectories, opened, opening } = await askCurrent(
      asked,
      (current, open) =>
        this.#askForNew(current, open, { cwd, ...(options && { options }) }, signal),
    );
    let session = instead;
    if (session?.info.sessionId === opened.sessionId && !session.isLive) {
      // The agent counts its sessions from the start again.
      session.adopt(connection, opened, { kind: 'ready' }, opening);
    } else {
      const place = { cwd, additionalDirectories };
      session = this.#begin(agent, connection, opened, place, { opening, isPrepared });
    }
    if (options !== undefined) {
      session.restoreUnprompted(options);
    }
    const wanted = beginning?.wanted ?? trustedDefaults(agent, places.workspace);
    for (const title of await applyDefaults(session, wanted, signal)) {
      session.noteBefore({ sessionUpdate: 'notice', severity: 'info', title });
    }
    return session;
  }

  /**
   * Like `create`, but nobody else knows of the session, and no list shows it, before `publish`: its options can be
   * chosen, and its commands completed, while the user writes the first prompt.
   */
  prepare(asked: Agent, folder: WorkspaceFolder, signal?: AbortSignal): Promise<Session> {
    return this.create(asked, folder, signal, { isPrepared: true });
  }

  /** A prepared session gets its first prompt: from now on it is an open one like all others. */
  publish(session: Session): void {
    const { agent, info } = session;
    const sessions = this.#of(agent.id);
    if (!sessions.prepared.delete(info.sessionId)) {
      return;
    }
    sessions.open.set(info.sessionId, session);
    this.#keepRoots(agent, info);
    agent.lists.hide(info.sessionId, false);
    // The time that it gets below is that of its user's prompt.
    session.elsewhere.active();
    agent.lists.add({ ...info, updatedAt: new Date().toISOString() });
    this.#changed.fire(session);
  }

  /**
   * Closes a prepared session whose first prompt was never sent, and has its agent delete it if it can. Never rejects:
   * what the agent keeps nevertheless is listed, as it says.
   */
  async discard(session: Session): Promise<void> {
    const { agent, info } = session;
    const { sessionId } = info;
    await session.close();
    const { state } = agent;
    try {
      if (state.kind === 'ready' && state.connection.capabilities.delete) {
        await state.connection.deleteSession(sessionId);
      }
    } catch (error) {
      this.#options.log.warn(`${agent.id}: an unused session stays: ${getStack(error)}`);
    }
    agent.lists.hide(sessionId, false);
  }

  /**
   * Discards all prepared sessions, because the window ends. Never rejects, and takes a second at most: VS Code doesn't
   * wait for long, and the agents have to be ended, too.
   */
  async discardPrepared(): Promise<void> {
    const all = [...this.#agents.values()].flatMap(({ prepared }) => [...prepared.values()]);
    const discarded = Promise.all(all.map((session) => this.discard(session)));
    await withTimeout(discarded, discardMs, () => new Error('Agents are slow')).catch(
      (error: unknown) => this.#options.log.warn(`Unused sessions stay: ${getStack(error)}`),
    );
  }

  async #askForNew(
    agent: Agent,
    connection: AgentConnection,
    { cwd, ...first }: Pick<NewPlace, 'cwd' | 'options'>,
    signal: AbortSignal | undefined,
  ) {
    const { places } = this.#options;
    const { set, opening } = await settingsFor(agent, connection, this.#options, cwd);
    const additionalDirectories = rootsFor(connection, places, cwd);
    const place = { cwd, additionalDirectories, ...set, ...first };
    const opened = await withOpening(opening, () => newSession(agent, connection, place, signal));
    return { agent, connection, additionalDirectories, opened, opening };
  }

  #begin(
    agent: Agent,
    connection: AgentConnection,
    opened: OpenedSession,
    place: Pick<SessionInfo, 'cwd' | 'additionalDirectories'>,
    { opening, isPrepared }: { readonly opening: SessionOpening; readonly isPrepared: boolean },
  ): Session {
    this.#mustBeNew(agent, opened, opening);
    const { sessionId } = opened;
    const info = { sessionId, ...place, updatedAt: new Date().toISOString() };
    if (isPrepared) {
      agent.lists.hide(sessionId, true);
    } else {
      this.#keepRoots(agent, info);
      agent.lists.add(info);
    }
    return this.#create(agent, info, {
      isPrepared,
      chosen: [place.cwd, ...place.additionalDirectories],
      begin: (made) => made.adopt(connection, opened, { kind: 'ready' }, opening),
    });
  }

  /** Resumes without the history (RES-1 to RES-6). Never rejects: the session's phase has the outcome. */
  async resume(agent: Agent, info: SessionInfo): Promise<Session> {
    const session = this.open(agent, info);
    await session.resume();
    return session;
  }

  /**
   * `session/fork`: a new session that continues from this one, or from a place in it. Rejects with
   * `AcpError`, also when `signal` aborts.
   */
  async fork(asked: Agent, listed: SessionInfo, options: ForkOptions = {}): Promise<Session> {
    const info = this.#options.places.placed(asked.id, listed);
    await this.#options.places.mustBeThere(info.cwd);
    const { cwd, additionalDirectories } = info;
    const { at, signal } = options;
    const known = isTitledByPrompt(info) ? info.promptTitle : info.title;
    const title = options.title ?? (known && l10n.t('Fork of {0}', known));
    const { agent, connection, opened, opening } = await askCurrent(
      asked,
      async (current, open) => {
        const { set, opening: own } = await settingsFor(current, open, this.#options, cwd);
        const target = { sessionId: info.sessionId, cwd, additionalDirectories, ...set };
        const answer = await withOpening(own, () =>
          open.forkSession({ ...target, ...(at !== undefined && { at }) }, signal),
        );
        return { agent: current, connection: open, opened: answer, opening: own };
      },
    );
    this.#mustBeNew(agent, opened, opening);
    const { sessionId } = opened;
    const forked = {
      sessionId,
      cwd,
      additionalDirectories,
      updatedAt: new Date().toISOString(),
      ...(title !== undefined && { title }),
    };
    const chosen = this.#options.places.keptRoots(agent.id, info.sessionId);
    this.#keepRoots(agent, {
      ...forked,
      additionalDirectories: additionalDirectories.filter((root) => chosen.includes(root)),
    });
    agent.lists.add(forked);
    if (connection.capabilities.load && connection.capabilities.close) {
      opening.end();
      // The fork is ready, but only a load shows its history, and an open session must not be
      // loaded (T-11).
      await connection.closeSession(sessionId);
      const session = this.open(agent, forked);
      void session.load();
      return session;
    }
    return this.#create(agent, forked, {
      begin: (session) => session.adopt(connection, opened, { kind: 'resumed' }, opening),
    });
  }

  /**
   * `session/delete`; an open session is closed first (DEL-5), and rows are removed only on success
   * (DEL-3). A session that only this window lists is forgotten here, whether or not its agent can
   * delete.
   */
  async delete(asked: Agent, { sessionId }: SessionInfo): Promise<void> {
    const agent = await askCurrent(asked, async (current, connection) => {
      const { capabilities } = connection;
      if (capabilities.list) {
        mustOffer(connection, 'delete');
      }
      await this.find(current.id, sessionId)?.close();
      await this.#of(current.id).closing.get(sessionId);
      if (capabilities.delete) {
        await connection.deleteSession(sessionId);
      }
      return current;
    });
    await this.#options.remembered.forget(agent.id, sessionId);
    agent.lists.remove(sessionId);
    // The agent may reuse the id for another session.
    this.#keepRoots(agent, { sessionId, cwd: '', additionalDirectories: [] });
    this.#deleted.fire({ agentId: agent.id, sessionId });
  }

  /** `session/set_title`; shows the title that the agent returns. */
  async rename(asked: Agent, { sessionId }: SessionInfo, title: string): Promise<void> {
    await askCurrent(asked, async (agent, connection) => {
      const taken = await connection.setTitle(sessionId, title);
      agent.lists.push(sessionId, { title: taken });
      const session = this.find(agent.id, sessionId);
      session?.setInfo({ ...session.info, title: taken });
    });
  }

  /** `session/archive`, which closes an open session first, or `session/unarchive`. */
  async setArchived(asked: Agent, { sessionId }: SessionInfo, archived: boolean): Promise<void> {
    await askCurrent(asked, async (agent, connection) => {
      mustOffer(connection, 'archive');
      if (archived) {
        await this.find(agent.id, sessionId)?.close();
      }
      await connection.setArchived(sessionId, archived);
      agent.lists.setArchived(sessionId, archived);
    });
  }

  /**
   * `logout` (AUTH-10). The agent's sessions are no longer guaranteed to work, so none stays live: they
   * are closed if the agent supports that, otherwise the agent is stopped (AUTH-12). Rejects with
   * `AcpError`.
   */
  async signOut(asked: Agent): Promise<void> {
    const agent = await askCurrent(asked, async (current, connection) => {
      await connection.logout();
      return current;
    });
    this.forgetLimits(agent);
    const live = this.all.filter((session) => session.agent === agent && session.isLive);
    if (agent.supports('close')) {
      await Promise.all(live.map((session) => session.signedOut()));
    } else if (live.length > 0) {
      await agent.stop();
    }
  }

  /** What the agent and its sessions say of a limit was about an account that isn't used any more (US-6). */
  forgetLimits(agent: Agent): void {
    agent.forgetLimit();
    for (const session of this.#of(agent.id).open.values()) {
      session.forgetLimit();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** A new session with the id of an open one would take over that session's tab (NEW-4). */
  #mustBeNew(agent: Agent, { sessionId }: OpenedSession, opening: SessionOpening): void {
    if (this.#find(agent.id, sessionId) !== undefined) {
      opening.end();
      throw new AcpError('malformed', 'The agent gave a new session the id of one that is open');
    }
  }

  /** `begin` runs before the updates that arrived before the agent's answer (NEW-8). */
  #create(
    agent: Agent,
    listed: SessionInfo,
    { begin, chosen = [], isPrepared = false }: Creation = {},
  ): Session {
    const { id } = agent;
    const info = this.#options.places.placed(id, listed);
    const { sessionId } = info;
    const sessions = this.#of(id);
    const { agents, places, notes, limits = sessionLimits } = this.#options;
    const session: Session = new Session(agent, info, {
      ...this.#options,
      limits,
      chosen: () => [...places.chosen(id, sessionId), ...chosen],
      currentAgent: () => agents.get(id),
      closing: sessions.closing.get(sessionId) ?? Promise.resolve(),
      subagents: {
        // An agent can't make a subagent of a session that the user has open.
        adopt: (subagentId) => {
          const isFree =
            this.#find(id, subagentId) === undefined && !sessions.subagents.has(subagentId);
          if (isFree) {
            sessions.subagents.set(subagentId, session);
          }
          return isFree;
        },
        early: (subagentId) => sessions.early.take(subagentId),
        has: (subagentId) => sessions.subagents.has(subagentId),
        release: (subagentIds) => {
          for (const subagentId of subagentIds) {
            sessions.subagents.delete(subagentId);
          }
        },
      },
      onClosed: (gone) => this.#closed(session, sessions, gone),
      happened: (kind, turn) => {
        this.#happened.fire({ session, kind, turn });
        if (kind !== 'needsAnswer') {
          void notes?.note(session);
        }
        if (kind === 'turnEnded') {
          agents.get(id)?.lists.lookFor(sessionId);
        }
      },
    });
    (isPrepared ? sessions.prepared : sessions.open).set(sessionId, session);
    const changed = (): void => {
      if (!sessions.prepared.has(sessionId)) {
        this.#changed.fire(session);
      }
    };
    session.onDidChange(changed);
    session.onDidChangeState(changed);
    begin?.(session);
    for (const update of sessions.early.take(sessionId)) {
      session.receive(update);
    }
    changed();
    return session;
  }

  /** An open session, or a prepared one. */
  #find(agentId: string, sessionId: string): Session | undefined {
    return this.find(agentId, sessionId) ?? this.#agents.get(agentId)?.prepared.get(sessionId);
  }

  #keepRoots(agent: Agent, info: SessionInfo): void {
    this.#options.places.keepRoots(agent.id, info).catch((error: unknown) => {
      this.#options.log.warn(
        `${agent.id}: the session's folders could not be saved: ${getStack(error)}`,
      );
    });
  }

  #getRouter(agent: Agent): RequestRouter {
    const all = (): readonly Session[] => [...this.#of(agent.id).open.values()];
    return new RequestRouter({
      find: (sessionId) =>
        this.#of(agent.id).subagents.get(sessionId)?.findRequester(sessionId) ??
        this.#find(agent.id, sessionId),
      latest: (of) => of.reduce<Session | undefined>(laterPrompted, undefined),
      all,
      deliver: (sessionId, update) => this.#route({ agent, sessionId, update }),
      noteAccount: (account) => {
        const before = agent.account;
        agent.noteAccount(account);
        if (before !== undefined && !isDeepStrictEqual(before, account)) {
          this.forgetLimits(agent);
        }
      },
      askServer: (request, signal) =>
        askOwnServer(this.#options.ownServers, agent, request, signal),
    });
  }

  #of(agentId: string): AgentSessions {
    let sessions = this.#agents.get(agentId);
    if (sessions === undefined) {
      sessions = {
        open: new Map(),
        prepared: new Map(),
        closing: new Map(),
        subagents: new Map(),
        early: new EarlyUpdates(),
      };
      this.#agents.set(agentId, sessions);
    }
    return sessions;
  }

  #route({ agent, sessionId, update }: AgentUpdate): void {
    const sessions = this.#of(agent.id);
    const parent = sessions.subagents.size > 0 ? sessions.subagents.get(sessionId) : undefined;
    if (parent !== undefined) {
      parent.receiveForSubagent(sessionId, update);
      return;
    }
    const session = this.#find(agent.id, sessionId);
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
    for (const session of [...sessions.open.values(), ...sessions.prepared.values()]) {
      session.agentChanged();
    }
  }

  /** The user has restarted the agent: tries again what it couldn't open, too. */
  #restarted(agent: Agent): void {
    for (const session of this.#of(agent.id).open.values()) {
      session.agentRestarted();
    }
  }

  /** Updates the open sessions from the list, since not every agent pushes titles. */
  #takeInfos(list: SessionList): void {
    for (const session of this.#of(list.agent.id).open.values()) {
      const row = list.find(session.info.sessionId);
      // What is only remembered may be older than what is known of an open session.
      if (row !== undefined && row.unlisted !== 'remembered') {
        session.setInfo(this.#options.places.placed(list.agent.id, row.info));
      }
    }
  }

  #closed(session: Session, sessions: AgentSessions, gone: Promise<void>): void {
    const { sessionId } = session.info;
    const wasPrepared = sessions.prepared.get(sessionId) === session;
    (wasPrepared ? sessions.prepared : sessions.open).delete(sessionId);
    sessions.closing.set(sessionId, gone);
    void gone.finally(() => {
      if (sessions.closing.get(sessionId) === gone) {
        sessions.closing.delete(sessionId);
      }
    });
    if (wasPrepared) {
      return;
    }
    this.#changed.fire(session);
    const agent = this.#options.agents.get(session.agent.id);
    if (session.turns.promptedAt > 0 && !session.info.openElsewhere) {
      // The list may have been read during its last turn, and says that it is at work.
      agent?.lists.push(sessionId, { state: 'idle' });
    }
    agent?.lists.letGo(sessionId);
  }
}

/** Ends it if the session isn't opened. */
async function withOpening<T>(opening: SessionOpening, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    opening.end();
    throw error;
  }
}

/** The folders besides its own that a new session gets. */
function rootsFor(
  { capabilities }: AgentConnection,
  places: SessionPlaces,
  cwd: string,
): readonly string[] {
  return capabilities.additionalDirectories ? places.rootsFor(cwd) : [];
}

/** The user's defaults for an agent's new sessions; none where a workspace that isn't trusted could have set them. */
export function trustedDefaults(
  { config: { defaults } }: Agent,
  { trusted }: Pick<Workspace, 'trusted'>,
): SessionDefaults {
  return defaults !== undefined && trusted ? defaults : {};
}

/** Asks for a new session, and notes on the agent whether it needs a login for that (AUTH-13). */
async function newSession(
  agent: Agent,
  connection: AgentConnection,
  place: NewPlace,
  signal: AbortSignal | undefined,
): Promise<OpenedSession> {
  try {
    const opened = await connection.newSession(place, signal);
    agent.noteSignIn(undefined);
    return opened;
  } catch (error) {
    const failure = describeFailure(error, agent.title);
    if (failure.code === 'authRequired') {
      agent.noteSignIn(failure);
    }
    throw error;
  }
}

/** Called before a session is closed, so that it isn't closed for an unsupported request. */
function mustOffer({ capabilities }: AgentConnection, capability: 'delete' | 'archive'): void {
  if (!capabilities[capability]) {
    throw new AcpError('unsupported', `The agent doesn't offer to ${capability} sessions`);
  }
}

/** The most recently prompted session; never one without a prompt (EL-5). */
function laterPrompted(latest: Session | undefined, session: Session): Session | undefined {
  return session.turns.promptedAt > (latest?.turns.promptedAt ?? 0) ? session : latest;
}

/** Request ids increase across all sessions, so they give the order of arrival. */
function getRequestId({ session, index }: { readonly session: Session; readonly index: number }) {
  const entry = session.transcript.entries[index];
  return entry?.kind === 'permission' || entry?.kind === 'elicitation' ? entry.requestId : 0;
}
