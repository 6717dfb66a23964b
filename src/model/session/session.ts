import * as l10n from '@vscode/l10n';
import type { AgentConnection, SessionInfo, SessionSetup } from '../../protocol/agentConnection';
import type {
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
} from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import type { SessionUpdate } from '../../protocol/updates';
import { getRef } from '../../shared/sessionRef';
import type { FallenMode } from '../../shared/transcript/config';
import type { Phase, Writable } from '../../shared/transcript/webviewMessages';
import { Emitter } from '../../util/emitter';
import type { Agent } from '../agent';
import type { OwnServer } from '../calls/ownTools';
import { isRootLike } from '../files/paths';
import { getTitle } from '../list/promptTitles';
import { applyInfoPatch } from '../list/sessionInfo';
import { getInwardTranslation } from '../places/remoteFolders';
import type { SessionDefaults } from '../ports';
import { AgentActs } from '../requests/agentActs';
import { newRequestId, PendingRequests } from '../requests/pendingRequests';
import { SessionTerminals } from '../requests/sessionTerminals';
import { ShownTerminals } from '../requests/shownTerminals';
import type { Subagent } from '../subagents/subagent';
import { Subagents } from '../subagents/subagents';
import { AgentTerminals } from '../terminals/agentTerminals';
import { SessionChanges } from '../transcript/changes';
import { isHistory } from '../transcript/reduce';
import { ShownTranscript } from '../transcript/shownTranscript';
import { Transcript } from '../transcript/transcript';
import type { NotedTurn } from '../transcript/turnNotes/notedTurn';
import { Retelling } from '../transcript/turnNotes/retelling';
import { Turns } from '../turns/turns';
import { ActivityElsewhere } from './activityElsewhere';
import { CarefulMode, type KeptMode } from './carefulMode';
import { findRecorder } from './findRecorder';
import { openElsewhereNotice } from './openElsewhere';
import { getServedSession, type SessionOpening } from './ownServers';
import { promptBlocks, withSkills } from './promptBlocks';
import { getContextSession } from './providedContext';
import { SessionFacts } from './sessionFacts';
import type { Notice, SessionHost } from './sessionHost';
import { SessionLink } from './sessionLink';
import { SessionTasks } from './sessionTasks';

/** Who makes a request: a session, or a subagent in it. */
export interface Requester {
  readonly requests: {
    permission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
    elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  };
  readonly acts: AgentActs;
  readonly terminals: SessionTerminals;
  /** It has asked for something. */
  heard(): void;
}

/** An open session: its transcript, its turns, and its connection to the agent. */
export class Session {
  readonly transcript = new Transcript();
  /** What views show: the cached transcript until the agent has replayed the session, if it is cached. */
  readonly shown: ShownTranscript;
  readonly facts = new SessionFacts((line) => this.#host.log.info(`${this.agent.id}: ${line}`));
  readonly elsewhere = new ActivityElsewhere();
  readonly #mode = new CarefulMode();
  readonly changes = new SessionChanges((place) => this.transcript.at(place));
  readonly turns: Turns;
  readonly requests: PendingRequests;
  readonly terminals: SessionTerminals;
  readonly acts: AgentActs;
  readonly subagents: Subagents;
  /** What subagents do with files and commands, each with permissions of its own. */
  readonly #subagentActs = new Map<Subagent, AgentActs>();
  readonly #shownTerminals: ShownTerminals;
  readonly #agentTerminals = new AgentTerminals(this.transcript, (id) => this.tasks.printed(id));
  readonly tasks: SessionTasks;
  readonly #link: SessionLink;
  readonly #host: SessionHost;
  readonly #recorder: ReturnType<typeof findRecorder>;
  readonly #changed = new Emitter<void>();
  /** Fires when the phase or the title has changed, but not for each update: see `transcript`. */
  readonly onDidChange = this.#changed.event;
  readonly #changedState = new Emitter<void>();
  /** Fires when the turn, the queue, the pending requests or the facts have changed. */
  readonly onDidChangeState = this.#changedState.event;
  readonly #notice = new Emitter<Notice>();
  /** Fires for a notice to show now; it isn't part of the history (NO-3). */
  readonly onNotice = this.#notice.event;
  #noticesBefore: readonly Notice[] = [];

  #info: SessionInfo;
  #title: string;
  #unprompted: SessionDefaults | undefined;
  /** What is known of earlier turns, to be told while the agent replays them. */
  #pastTurns: readonly NotedTurn[] = [];
  #retelling: Retelling | undefined;
  #retellingEnds: ReturnType<typeof setTimeout> | undefined;
  /** Ends the attempt to begin a session in place of this one, while that is pending. */
  #renewal: AbortController | undefined;
  #isClosed = false;

  constructor(agent: Agent, info: SessionInfo, host: SessionHost) {
    this.#info = info;
    this.#title = getTitle(info);
    this.#host = host;
    if (info.openElsewhere) {
      this.noteBefore(openElsewhereNotice(agent.title));
    }
    this.#recorder = findRecorder(this, agent, host.recorders);
    this.#link = this.#createLink(agent);
    this.terminals = new SessionTerminals(host.terminals, info.cwd);
    this.#shownTerminals = new ShownTerminals(this.terminals, this.transcript);
    this.requests = this.#createRequests(agent.id);
    this.acts = this.#createActs(agent, info);
    this.turns = this.#createTurns();
    this.terminals.onDidChange(() => this.heard());
    this.transcript.clock = () => (this.isLive && this.#isAtWork ? Date.now() : undefined);
    this.subagents = this.#createSubagents();
    this.tasks = this.#createTasks();
    this.transcript.onDidChangeNested(({ number, change }) => {
      this.changes.note(change, number);
      if (this.isLive) {
        this.elsewhere.active();
      }
    });
    this.transcript.onDidChange((change) => {
      if (change.type === 'reset') {
        this.#retelling =
          this.#pastTurns.length > 0
            ? new Retelling(this.transcript, this.#pastTurns, newRequestId, (turn) =>
                this.turns.noteTokens(turn),
              )
            : undefined;
        this.turns.forgetHistory();
        this.requests.forgetHistory();
        this.#subagentActs.clear();
      }
      this.changes.note(change);
      // A replay is no activity; its end is noted in `opened`.
      if (this.isLive) {
        this.elsewhere.active();
      }
    });
    this.shown = new ShownTranscript(this);
  }

  get agent(): Agent {
    return this.#link.agent;
  }

  get info(): SessionInfo {
    return this.#info;
  }

  /** A single sanitized line, never empty. */
  get title(): string {
    return this.#title;
  }

  get phase(): Phase {
    return this.#renewal === undefined ? this.#link.phase : { kind: 'loading', received: 0 };
  }

  /**
   * The mode and options that the user has chosen, as long as the session was created here and has never been
   * prompted: its agent may not keep it, and a new one can take its place.
   */
  get unprompted(): SessionDefaults | undefined {
    return this.turns.promptedAt === 0 ? this.#unprompted : undefined;
  }

  /** The mode that the session was in last, if that is one in which its agent changes nothing. */
  get carefulMode(): KeptMode | undefined {
    return this.#mode.kept;
  }

  get fallenMode(): FallenMode | undefined {
    return this.#mode.describe(this.facts);
  }

  /** An earlier window has left the session in this mode. */
  restoreMode(mode: KeptMode): void {
    this.#mode.expect(mode);
    if (this.isLive) {
      this.#mode.opened(this.facts);
    }
    this.#changedState.fire();
  }

  /** The user goes on in the mode that the session has come back in. */
  goOnInMode(): void {
    this.#noteMode((mode) => mode.goOn(this.facts));
  }

  /** Sends the prompts that have waited, if this was what they have waited for. */
  #noteMode(note: (mode: CarefulMode) => void): void {
    const { isFallen, kept } = this.#mode;
    note(this.#mode);
    if (isFallen && !this.#mode.isFallen) {
      this.turns.goOn();
    }
    if (kept !== this.#mode.kept || isFallen !== this.#mode.isFallen) {
      this.#changedState.fire();
    }
  }

  /** An earlier window has created the session, and never prompted it. */
  restoreUnprompted(choices: SessionDefaults): void {
    if (this.transcript.entries.length === 0) {
      this.#unprompted = choices;
      this.#changedState.fire();
    }
  }

  /**
   * Whether a turn, a task in the background or a subagent runs, a prompt is queued that waits for no decision of the
   * user, or a question waits for an answer.
   */
  get isBusy(): boolean {
    return (
      this.#isAtWork ||
      this.subagents.running.length > 0 ||
      (!this.#mode.isFallen && this.turns.queue.some(({ held }) => !held)) ||
      this.requests.waiting.length > 0
    );
  }

  get #isAtWork(): boolean {
    const turn = this.turns.current;
    return turn.kind !== 'idle' || turn.background !== undefined;
  }

  /** The session's folders as the agent names them; `acts.reach` decides which of them it may use. */
  get roots(): readonly string[] {
    const { cwd, additionalDirectories } = this.#info;
    return [cwd, ...additionalDirectories.filter((folder) => !isRootLike(folder))];
  }

  get writable(): Writable {
    const { state, title } = this.agent;
    if (this.#renewal !== undefined) {
      return { kind: 'no', reason: l10n.t('{0} is beginning this session anew.', title) };
    }
    return state.kind === 'ready' && !state.connection.capabilities.prompt
      ? { kind: 'no', reason: l10n.t('The sessions of {0} can only be read.', title) }
      : writableIn(this.phase, title);
  }

  /**
   * Has the agent replay the session into `transcript`. Joins a pending load; does nothing for a live
   * session (T-11). Never rejects; `phase` has the outcome.
   */
  load(): Promise<void> {
    return this.#link.open();
  }

  /** Resumes the session without its history (RES-4). Never rejects. */
  resume(): Promise<void> {
    return this.#link.open('resume');
  }

  /** Loads the session again, even when it is live; see `SessionLink.reopen`. */
  reload(): Promise<void> {
    this.turns.cancel();
    return this.#link.reopen();
  }

  /** Our own MCP server, if the agent has connected to it. */
  get ownServer(): OwnServer | undefined {
    return this.#link.ownServer;
  }

  /** Cancels a pending load; received entries stay, later ones are dropped (LOAD-12). */
  cancelLoad(): void {
    this.#renewal?.abort();
    this.#link.cancel();
  }

  /**
   * Loading to all who look until `begin` has ended: it begins a session in place of this one, which its agent no
   * longer has. Its signal aborts when the user cancels the load, or closes the session.
   */
  async renewed<T>(begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const renewal = new AbortController();
    this.#renewal = renewal;
    this.#changed.fire();
    try {
      return await begin(renewal.signal);
    } finally {
      this.#renewal = undefined;
      this.#changed.fire();
    }
  }

  /** The user has begun to write a prompt, or is about to. */
  prepareTurn(): void {
    void this.#recorder?.prepare();
  }

  /** Takes over a session that the agent has just created, with what was prepared for it. */
  adopt(
    connection: AgentConnection,
    setup: SessionSetup,
    phase: Phase,
    opening?: SessionOpening,
  ): void {
    this.prepareTurn();
    this.#unprompted = phase.kind === 'ready' ? {} : undefined;
    this.facts.takeSetup(setup);
    this.#mode.opened(this.facts);
    this.elsewhere.read(this.#info.updatedAt);
    this.#link.adopt(connection, phase, opening);
    this.#changedState.fire();
  }

  /** Shows the mode immediately; reverts it and rejects with `AcpError` when the agent refuses (MO-3). */
  async setMode(modeId: string): Promise<void> {
    this.facts.showMode(modeId);
    this.#changedState.fire();
    try {
      await this.#mustConnect().setMode(this.#info.sessionId, modeId);
      this.facts.confirmMode(modeId);
      this.#noteMode((mode) => mode.chose(this.facts));
      this.#noteChoice('mode', modeId);
    } catch (error) {
      this.facts.takeBackMode(modeId);
      this.#changedState.fire();
      throw error;
    }
  }

  /** Shows the value immediately; reverts it and rejects with `AcpError` when the agent refuses (CF-8). */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    this.facts.showValue(configId, value);
    this.#changedState.fire();
    try {
      const connection = this.#mustConnect();
      const { sessionId } = this.#info;
      if (this.facts.isOlderModel(configId) && typeof value === 'string') {
        await connection.setModel(sessionId, value);
        this.facts.confirmModel(value);
      } else {
        const options = await connection.setConfigOption(sessionId, configId, value);
        this.facts.setConfigOptions(options);
      }
      this.#noteMode((mode) => mode.chose(this.facts, configId));
      this.#noteChoice(configId, value);
      this.#changedState.fire();
    } catch (error) {
      this.facts.takeBackValue(configId, value);
      this.#changedState.fire();
      throw error;
    }
  }

  #noteChoice(key: string, value: string | boolean): void {
    if (this.#unprompted !== undefined) {
      this.#unprompted = { ...this.#unprompted, [key]: value };
      this.#changedState.fire();
    }
  }

  /** The limit was that of an account that isn't used any more. */
  forgetLimit(): void {
    this.facts.forgetLimit();
    this.#changedState.fire();
  }

  /** Closes the session here and on the agent, once its last view is gone (CLOSE-3, CLOSE-4). */
  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.#renewal?.abort();
    clearTimeout(this.#retellingEnds);
    this.turns.cancel();
    this.turns.close();
    this.requests.cancelAll();
    const ended = this.terminals.closeAll();
    const gone = this.#link.close();
    this.transcript.reset();
    this.subagents.forget();
    this.#host.onClosed(gone);
    this.#changed.dispose();
    this.#changedState.dispose();
    this.#notice.dispose();
    this.terminals.dispose();
    this.tasks.dispose();
    await Promise.all([gone, ended]);
  }

  receive(update: SessionUpdate): void {
    const isPart = isHistory(update);
    if (update.sessionUpdate === 'session_info_update') {
      this.setInfo(applyInfoPatch(this.#info, update));
    } else if (!isPart && this.facts.apply(update)) {
      if (this.isLive) {
        this.#noteMode((mode) => mode.note(this.facts));
      }
      this.#changedState.fire();
    }
    if (!this.#link.isReceiving) {
      return;
    }
    if (isPart) {
      if (this.#link.showsCopy) {
        this.#link.dropCopy();
      }
      this.#unprompted = undefined;
    }
    if (!this.subagents.take(update)) {
      for (const shown of this.turns.filter(update)) {
        this.#retelling?.before(shown);
        this.transcript.apply(shown);
        this.#noteTerminals(shown, this.transcript);
        this.#retelling?.after();
      }
      this.#replayed();
    }
    this.tasks.note(update);
    this.heard();
    if (update.sessionUpdate === 'notice') {
      this.#notice.fire(update);
    }
    if (this.transcript.entries.length > 0) {
      this.#link.gotHistory(this.turns.promptedAt > 0);
    }
  }

  /** Takes an update with the id of a subagent of this session. */
  receiveForSubagent(subagentId: string, update: SessionUpdate): void {
    const subagent = this.subagents.find(subagentId);
    if (subagent !== undefined && this.#link.isReceiving) {
      this.subagents.take(update, subagent);
      this.heard();
      if (update.sessionUpdate === 'notice') {
        this.#notice.fire(update);
      }
    }
  }

  /** Finds who makes a request with the id of a subagent: that subagent, in this session. */
  findRequester(subagentId: string): Requester | undefined {
    const subagent = this.subagents.find(subagentId);
    return (
      subagent && {
        requests: this.requests.of(subagent),
        acts: this.#getActs(subagent),
        terminals: this.terminals,
        heard: () => this.heard(),
      }
    );
  }

  /** The agent has said or asked something, see `Silence`. */
  heard(): void {
    this.turns.heard();
  }

  /** Stops a subagent and nothing else, if its agent can (SUB-6). */
  stopSubagent(number: number): void {
    const subagent = this.subagents.get(number);
    if (subagent?.canCancel && subagent.sessionId !== undefined) {
      this.#link.connection?.cancel(subagent.sessionId);
      this.requests.cancelRequest(number);
    }
  }

  /** Whether the user has granted a permission that outlives the turn and can be revoked. */
  get hasLasting(): boolean {
    return this.#allActs().some(({ hasLasting }) => hasLasting);
  }

  /** Revokes everything that the user has allowed in this session. */
  askAgain(): void {
    for (const acts of this.#allActs()) {
      acts.askAgain();
    }
  }

  #allActs(): readonly AgentActs[] {
    return [this.acts, ...this.#subagentActs.values()];
  }

  /** Applies the agent's current information, pushed or listed. An open session stays in its folder. */
  setInfo(info: SessionInfo): void {
    const wasElsewhere = this.#info.openElsewhere;
    this.#info = { ...info, cwd: this.#info.cwd };
    if (info.openElsewhere && !wasElsewhere) {
      this.#notice.fire(openElsewhereNotice(this.agent.title));
    }
    if (this.elsewhere.hear(info.updatedAt, this.isLive && this.turns.current.kind === 'idle')) {
      this.#changedState.fire();
    }
    const title = getTitle(info);
    if (title !== this.#title) {
      this.#title = title;
      this.#changed.fire();
    }
  }

  /** Keeps a notice for the session's tab, which doesn't exist yet. */
  noteBefore(notice: Notice): void {
    this.#noticesBefore = [...this.#noticesBefore, notice];
  }

  /** The notices from before there was a tab, once. */
  takeNoticesBefore(): readonly Notice[] {
    const notices = this.#noticesBefore;
    this.#noticesBefore = [];
    return notices;
  }

  get isLive(): boolean {
    return this.#link.isLive;
  }

  /** The agent was signed out; only for agents that can close sessions (AUTH-12). */
  signedOut(): Promise<void> {
    this.turns.cancel();
    return this.#link.signedOut();
  }

  /** The agent's state has changed. */
  agentChanged(): void {
    this.#link.agentChanged();
    if (this.#host.currentAgent()?.state.kind === 'ready') {
      this.#link.agentReturned(false);
    }
  }

  /** The user has restarted the agent. */
  agentRestarted(): void {
    this.#link.agentReturned(true);
  }

  #createLink(agent: Agent): SessionLink {
    const { limits, log, mcp, ownServers, systemPrompts, places, closing } = this.#host;
    return new SessionLink(agent, {
      mustBeThere: async (folder) => {
        if (this.#host.subagents.has(this.#info.sessionId)) {
          throw new AcpError('unsupported', 'A subagent belongs to the session that started it');
        }
        await places.mustBeThere(folder);
      },
      info: () => this.#info,
      transcript: this.transcript,
      limits,
      log,
      mcp,
      ownServers,
      served: () => getServedSession(this),
      systemPrompts,
      closing,
      currentAgent: () => this.#host.currentAgent(),
      beginHistory: async () => {
        const { notes } = this.#host;
        void notes?.note(this);
        this.#pastTurns = (await notes?.of(getRef(this))) ?? [];
      },
      isUnprompted: () => this.unprompted !== undefined,
      phaseChanged: () => {
        this.turns.opened();
        this.#changed.fire();
      },
      opened: (setup) => {
        this.#endRetelling();
        this.facts.takeSetup(setup);
        this.#noteMode((mode) => mode.opened(this.facts));
        this.elsewhere.read(this.#info.updatedAt);
        this.#changedState.fire();
      },
      lost: () => {
        this.requests.cancelAll();
        this.turns.lost();
        this.facts.lost();
        this.tasks.lost();
        for (const acts of this.#allActs()) {
          acts.forgetCalls();
        }
        this.subagents.lose();
        void this.terminals.closeAll();
      },
    });
  }

  /** Some agents replay the most only after they have answered (T-9): waits until that has ended. */
  #endRetelling(): void {
    if (this.#retelling?.isExpecting) {
      this.#replayed(true);
    } else {
      this.#retelling?.end();
      this.#retelling = undefined;
    }
  }

  /** Something of the replay has arrived; after its answer, the last turn is over once nothing more does. */
  #replayed(isOpened = this.isLive): void {
    if (this.#retelling === undefined || !isOpened) {
      return;
    }
    clearTimeout(this.#retellingEnds);
    const retelling = this.#retelling;
    if (this.turns.current.kind !== 'idle') {
      this.#retelling = undefined;
      return;
    }
    this.#retellingEnds = setTimeout(() => {
      if (this.#retelling === retelling && this.turns.current.kind === 'idle') {
        retelling.end();
      }
      this.#retelling = undefined;
    }, this.#host.limits.tailMs);
    this.#retellingEnds.unref();
  }

  #noteTerminals(update: SessionUpdate, transcript: Transcript, scope?: number): void {
    this.#shownTerminals.note(update, transcript);
    this.#agentTerminals.take(update, transcript, scope);
  }

  #createSubagents(): Subagents {
    return new Subagents({
      ...this.#host.subagents,
      sessionId: this.#info.sessionId,
      transcript: this.transcript,
      isLive: () => this.isLive,
      shown: (update, transcript, scope) => this.#noteTerminals(update, transcript, scope),
      changed: () => this.#changedState.fire(),
    });
  }

  #createTasks(): SessionTasks {
    return new SessionTasks({
      sessionId: this.#info.sessionId,
      transcript: this.transcript,
      terminals: this.#agentTerminals,
      subagents: () => this.subagents,
      items: () => this.turns.tasks,
      connection: () => this.#link.connection,
      changed: () => this.#changedState.fire(),
    });
  }

  /** A permission of a subagent is its own: neither the session nor another subagent may use it (SUB-7). */
  #getActs(subagent: Subagent): AgentActs {
    let acts = this.#subagentActs.get(subagent);
    if (acts === undefined) {
      acts = this.#createActs(this.agent, this.#info, subagent);
      this.#subagentActs.set(subagent, acts);
    }
    return acts;
  }

  /** The acts of the session, or of its subagent with this number. */
  #actsWith(number: number): AgentActs {
    const subagent = this.subagents.get(number);
    return subagent === undefined ? this.acts : this.#getActs(subagent);
  }

  #createActs(
    agent: Agent,
    { cwd, additionalDirectories }: SessionInfo,
    subagent?: Subagent,
  ): AgentActs {
    const { files, rules, places } = this.#host;
    const { terminals } = this;
    const transcript = subagent?.transcript ?? this.transcript;
    const requests = subagent === undefined ? this.requests : this.requests.of(subagent);
    return new AgentActs({
      ...{ agentId: agent.id, cwd, files, rules, terminals, requests, recorder: this.#recorder },
      agentTitle: () => this.agent.title,
      inward: getInwardTranslation(agent.config),
      folders: [cwd, ...additionalDirectories],
      workspace: places.workspace,
      realPath: places.realPath,
      chosen: () => this.#host.chosen(),
      turn: () => this.turns.runningId,
      isOpen: (toolCallId) => transcript.isOpen(toolCallId),
      changed: () => this.#changedState.fire(),
    });
  }

  #createRequests(agentId: string): PendingRequests {
    return new PendingRequests({
      agentId,
      transcript: this.transcript,
      rules: this.#host.rules,
      place: (number) => this.#actsWith(number).place,
      ownServer: () => this.ownServer,
      isRefusing: () => this.#isClosed || this.turns.isCancelling,
      changed: (asked, numbers) => {
        this.subagents.setAsking(numbers);
        this.heard();
        this.#changedState.fire();
        if (asked) {
          this.#host.happened('needsAnswer');
        }
      },
      permitted: (toolCall, option, number) => {
        this.#actsWith(number).permitted(toolCall, option);
      },
      findCaller: (toolCall) => this.subagents.findCaller(toolCall),
      shown: (update, transcript, scope) => this.#noteTerminals(update, transcript, scope),
    });
  }

  #createTurns(): Turns {
    const { files, limits } = this.#host;
    return new Turns({
      sessionId: this.#info.sessionId,
      agentTitle: () => this.agent.title,
      transcript: this.transcript,
      limit: () => this.facts.limit,
      showLimit: (limit) => {
        this.facts.showLimit(limit);
        this.agent.noteLimit(limit);
      },
      ...{ ...limits, recorder: this.#recorder },
      live: () => this.#link.live(),
      isLive: () => this.isLive,
      isAsking: () => this.requests.waiting.length > 0,
      isRunningCommand: () => this.terminals.isRunning,
      isHeld: () => this.#mode.isFallen,
      connection: () => this.#link.connection,
      blocks: async (draft, { capabilities }) => {
        const blocks = await promptBlocks(
          draft,
          capabilities,
          (path) => files.readAttached(path),
          (context) => this.#host.promptContext.read(context, getContextSession(this)),
        );
        return withSkills(blocks, this.facts.commands);
      },
      prompted: () => this.facts.prompted(),
      cancelRequests: () => this.requests.cancelAll(),
      changed: () => {
        this.elsewhere.active();
        this.#changedState.fire();
      },
      ended: (kind, turn) => this.#host.happened(kind, turn),
    });
  }

  #mustConnect(): AgentConnection {
    const { connection } = this.#link;
    if (connection === undefined) {
      throw new AcpError('exited', 'The session is not open at its agent');
    }
    return connection;
  }
}

/** Whether the user can prompt a session in this phase; a prompt opens a session that isn't open. */
function writableIn(phase: Phase, agentTitle: string): Writable {
  if (phase.kind !== 'failed') {
    return { kind: 'yes' };
  }
  const { code, title } = phase.failure;
  if (code === 'gone') {
    return { kind: 'no', reason: l10n.t('{0} no longer has this session.', agentTitle) };
  }
  return code === 'config' ? { kind: 'no', reason: title } : { kind: 'yes' };
}
