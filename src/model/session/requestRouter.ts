import type {
  AgentAccount,
  AgentRequests,
  CallNews,
  CreateTerminalRequest,
  ElicitationAnswer,
  ElicitationRequest,
  McpOutcome,
  McpRequest,
  PermissionAnswer,
  PermissionRequest,
  ReadRequest,
  TerminalExit,
  TerminalOutput,
  TerminalRef,
  UnknownRequest,
  WriteRequest,
} from '../../protocol/agentRequests';
import { refusal } from '../../protocol/refusal';
import type { SessionUpdate } from '../../protocol/updates';
import type { Requester, Session } from './session';

export interface RequestRouterOptions {
  /** The session with this id, or the subagent in one (SUB-7). */
  find(sessionId: string): Requester | undefined;
  /** The session for a question that names none: the most recently prompted one of these. */
  latest(sessions: readonly Session[]): Session | undefined;
  all(): readonly Session[];
  /** Gives an update to the session with this id, or to the subagent in one. */
  deliver(sessionId: string, update: SessionUpdate): void;
  noteAccount(account: AgentAccount | undefined): void;
  /** Asks one of our own servers for the agent. */
  askServer(request: McpRequest, signal: AbortSignal): Promise<McpOutcome>;
}

/**
 * Routes one agent's requests to the session that they name (FS-4). For an unknown session, questions
 * are canceled and everything else rejects.
 */
export class RequestRouter implements AgentRequests {
  readonly #options: RequestRouterOptions;

  constructor(options: RequestRouterOptions) {
    this.#options = options;
  }

  async requestPermission(
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> {
    const session = this.#findAsking(request.sessionId, request.toolCall.toolCallId);
    return session?.requests.permission(request, signal);
  }

  async readTextFile(request: ReadRequest, signal: AbortSignal): Promise<string> {
    return this.#mustFind(request).acts.read(request, signal);
  }

  async writeTextFile(request: WriteRequest, signal: AbortSignal): Promise<void> {
    await this.#mustFind(request).acts.write(request, signal);
  }

  async createTerminal(request: CreateTerminalRequest, signal: AbortSignal): Promise<string> {
    return this.#mustFind(request).acts.createTerminal(request, signal);
  }

  async terminalOutput(ref: TerminalRef): Promise<TerminalOutput> {
    return Promise.resolve(this.#mustFind(ref).terminals.output(ref.terminalId));
  }

  async waitForTerminalExit(ref: TerminalRef, signal: AbortSignal): Promise<TerminalExit> {
    return this.#mustFind(ref).terminals.waitForExit(ref.terminalId, signal);
  }

  async killTerminal(ref: TerminalRef): Promise<void> {
    await this.#mustFind(ref).terminals.kill(ref.terminalId);
  }

  async releaseTerminal(ref: TerminalRef): Promise<void> {
    await this.#mustFind(ref).terminals.release(ref.terminalId);
  }

  async elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer> {
    const session = this.#findAsking(request.sessionId, request.toolCallId);
    return session?.requests.elicit(request, signal) ?? { action: 'cancel' };
  }

  async mcpMessage(request: McpRequest, signal: AbortSignal): Promise<McpOutcome> {
    return this.#options.askServer(request, signal);
  }

  unknownRequest({ method, sessionId, toolCallId, raw }: UnknownRequest): void {
    const to = sessionId ?? this.#findByCall(toolCallId)?.info.sessionId;
    if (to !== undefined) {
      const what = { sessionUpdate: '_acp_sessions_unknown', what: 'request' } as const;
      this.#options.deliver(to, { ...what, name: method, raw });
    }
  }

  callNews({ toolCallId, call, update }: CallNews): void {
    const session = this.#findByCall(toolCallId);
    if (call !== undefined && session !== undefined && !hasCall(session, toolCallId)) {
      session.receive({ sessionUpdate: 'tool_call', ...call });
    }
    session?.receive(update);
  }

  elicitationCompleted(elicitationId: string): void {
    for (const session of this.#options.all()) {
      session.requests.elicitationCompleted(elicitationId);
    }
  }

  accountChanged(account: AgentAccount | undefined): void {
    this.#options.noteAccount(account);
  }

  /** Who asks a question; one without a session may name a call. */
  #findAsking(
    sessionId: string | undefined,
    toolCallId: string | undefined,
  ): Requester | undefined {
    if (sessionId !== undefined) {
      return this.#options.find(sessionId);
    }
    return this.#findByCall(toolCallId);
  }

  /** Agents number the calls of each session anew: of several with this one, it is where that is at work. */
  #findByCall(toolCallId = ''): Session | undefined {
    const all = this.#options.all();
    const having = all.filter((session) => hasCall(session, toolCallId));
    const atWork = having.filter(({ transcript }) => transcript.isOpen(toolCallId));
    const named = atWork.length > 0 ? atWork : having;
    return this.#options.latest(named) ?? named[0] ?? this.#options.latest(all);
  }

  #mustFind({ sessionId }: { readonly sessionId: string }): Requester {
    const session = this.#options.find(sessionId);
    if (session === undefined) {
      throw refusal('sessionNotFound', 'No such session is open');
    }
    session.heard();
    return session;
  }
}

/** Whether a session, or a subagent in it, has made a call. */
function hasCall({ transcript, subagents }: Session, toolCallId: string): boolean {
  return (
    transcript.toolCall(toolCallId) !== undefined ||
    subagents.findCaller({ toolCallId }) !== undefined
  );
}
