import type { WebSocket } from 'ws';
import { asString, isObject, type JsonObject } from '../../util/json';
import type { Transport } from '../agentTransport';
import { defaultMaxMessageBytes, LineSplitter } from '../lineSplitter';
import { getRefusal, refusal } from '../refusal';
import { isRequestId } from '../requestId';
import { CountedLog, type ProtocolLog, shorten } from '../rpc/countedLog';
import { type Message, parseBatch, parseMessage } from '../rpc/envelope';
import { callForClient } from './agentCalls';
import { BoundedSequence } from './boundedSequence';
import { checkClientMessage, type MayUse, type Refusal } from './clientMessages';
import { isOfSession } from './clientMethods';
import { ClientSessions } from './clientSessions';
import { ClientSocket, type CloseCode, closeCodes, maxHeldBytes } from './clientSocket';
import { HeldMessages } from './heldMessages';
import { renumbered } from './renumbered';
import { sessionIdIn } from './sessionIds';
import { SessionLookup } from './sessionLookup';
import { getListError } from './sharedRows';
import type { SharedSessions, SharingClient } from './sharedSessions';
import { WaitingRequests } from './waitingRequests';

export interface SharedConnectionOptions {
  readonly socket: WebSocket;
  /** Starts a process of the agent for this client alone, unless the client is gone before. */
  readonly start: (gone: AbortSignal) => Promise<Transport>;
  readonly sessions: SharedSessions;
  readonly mayUse: MayUse;
  readonly log: ProtocolLog;
  /** Bytes of one message of the client, and half of those of one of the agent. */
  readonly maxMessageBytes?: number;
  /** Milliseconds in which the agent has to list a session that isn't known yet. */
  readonly lookupMs?: number;
  /** Milliseconds until the client's first message, and of silence before it is asked whether it is there. */
  readonly quietMs?: number;
}

const defaultQuietMs = 30_000;

/**
 * One client of a shared agent: passes messages between its WebSocket and a process of the agent of its own. Reads as
 * much of them as it needs to keep the client to what is shared, and to know which sessions it has open.
 */
export class SharedConnection implements SharingClient {
  /** Resolves when the client is gone and its process has ended. */
  readonly ended: Promise<void>;
  readonly #options: SharedConnectionOptions;
  readonly #socket: ClientSocket;
  readonly #log: CountedLog;
  /** Requests of the client to the agent, and of the agent to the client. */
  readonly #toAgent = new WaitingRequests();
  readonly #toClient = new WaitingRequests();
  readonly #sessions: ClientSessions;
  readonly #early = new HeldMessages();
  readonly #lookup: SessionLookup;
  /** Lines of the agent, and what others have to tell the client. */
  readonly #inward = new BoundedSequence(maxHeldBytes, {
    pause: () => this.#running?.pause(),
    resume: () => this.#running?.resume(),
  });
  #agent: Promise<Transport> | undefined;
  #running: Transport | undefined;
  #isInitialized = false;
  /** The version of the protocol, as the agent has chosen it. */
  #version: unknown;

  constructor(options: SharedConnectionOptions) {
    const { socket, quietMs = defaultQuietMs } = options;
    this.#options = options;
    this.#socket = new ClientSocket({
      ...{ socket, quietMs },
      take: (text) => this.#take(text).catch((error: unknown) => this.#failed(error)),
      hasBegun: () => this.#agent !== undefined,
      onError: (error) => this.#log.note('connection', () => error.message),
    });
    this.#log = new CountedLog(options.log, 5);
    this.#sessions = new ClientSessions(this, options.sessions, options.mayUse);
    this.#lookup = new SessionLookup({
      nextId: () => this.#toAgent.next(),
      ask: async (request) => this.#tellAgent(await this.#agent, request),
      note: (result) => this.#sessions.getRows(result),
      timeoutMs: options.lookupMs,
    });
    this.ended = this.#socket.closed.then(() => this.#end());
  }

  /** Ends the connection, with a reason of at most 123 bytes. */
  close(code: CloseCode = closeCodes.away, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** Whether nothing passes in either direction any more. */
  get #isDone(): boolean {
    return this.#socket.gone.aborted;
  }

  openElsewhere(sessionId: string, isOpen: boolean): void {
    this.#tell(sessionId, {
      sessionUpdate: 'session_info_update',
      _meta: { acpSessions: { openElsewhere: isOpen } },
    });
  }

  heard(sessionId: string, update: JsonObject): void {
    this.#tell(sessionId, update);
  }

  listChanged(): void {
    this.#notify('session/list_changed', {});
  }

  /** Tells the client about a session that is shared; others are none of its business. */
  #tell(sessionId: string, update: JsonObject): void {
    if (this.#options.sessions.isShared(sessionId)) {
      this.#notify('session/update', { sessionId, update });
    }
  }

  /** Notifies the client, but not before `initialize` was answered. What a client is slow to take isn't kept for it. */
  #notify(method: string, params: object): void {
    if (this.#isInitialized && this.#socket.unsent + this.#inward.size < maxHeldBytes) {
      const text = JSON.stringify({ jsonrpc: '2.0', method, params });
      void this.#inward.add(text.length, () => this.#socket.send(text));
    }
  }

  /** Resolves when the agent has taken the message. */
  async #take(text: string): Promise<void> {
    if (this.#isDone) {
      return;
    }
    const checked = await checkClientMessage(text, this.#options.mayUse);
    if ('refused' in checked) {
      await this.#refuse(checked);
      return;
    }
    const { message } = checked;
    const isFirst = this.#agent === undefined;
    if (isFirst !== (message['method'] === 'initialize') || (isFirst && !('id' in message))) {
      this.close(closeCodes.refused, 'The first message, and no other, must be initialize');
      return;
    }
    this.#agent ??= this.#startAgent();
    const agent = await this.#agent;
    if (!(await this.#mayUseSession(message))) {
      await this.#refuse({ refused: notShared, code: -32602, id: message['id'] });
      return;
    }
    const passed = renumbered(message, this.#toAgent, this.#toClient);
    if ('refused' in passed) {
      await this.#refuse(passed);
    } else if ('dropped' in passed) {
      this.#log.note('dropped', () => passed.dropped);
    } else {
      if (passed.request !== undefined && 'method' in message) {
        this.#sessions.requested(passed.request);
      }
      await this.#tellAgent(agent, passed.message);
    }
  }

  /** Whether the message isn't about a session, or about one in a folder that is shared. */
  async #mayUseSession({ method, params }: JsonObject): Promise<boolean> {
    if (!isOfSession(method)) {
      return true;
    }
    const sessionId = sessionIdIn(params);
    if (sessionId === undefined) {
      return false;
    }
    const { sessions } = this.#options;
    if (sessions.isSubagent(sessionId)) {
      return this.#isReallySubagent(sessionId);
    }
    // Some agents find a folder only as they spell it.
    const cwd = isObject(params) ? asString(params['cwd']) : undefined;
    const found = await this.#lookup.read(new Set([cwd, undefined]), () =>
      this.#isShared(sessionId),
    );
    return found === 'found';
  }

  /**
   * Whether a session is a subagent: the agent lists it nowhere, or in a folder that is shared; then it is known from
   * now on.
   */
  async #isReallySubagent(sessionId: string): Promise<boolean> {
    const { sessions } = this.#options;
    const isListed = (): boolean => !sessions.isSubagent(sessionId);
    if ((await this.#lookup.read(new Set([undefined]), isListed)) === 'read') {
      sessions.share(sessionId);
    }
    return !sessions.isSubagent(sessionId) && sessions.isShared(sessionId);
  }

  readonly #isShared = (sessionId: string): boolean => this.#options.sessions.isShared(sessionId);

  async #refuse({ refused, code, id }: Refusal): Promise<void> {
    this.#log.note('refused', () => refused);
    if (this.#agent === undefined) {
      this.close(closeCodes.refused, refused);
    } else if (id !== undefined) {
      await this.#send({ jsonrpc: '2.0', id, error: { code, message: refused } });
    }
  }

  async #startAgent(): Promise<Transport> {
    const agent = await this.#options.start(this.#socket.gone);
    if (this.#isDone) {
      return agent;
    }
    const splitter = new LineSplitter({
      maxBytes: 2 * (this.#options.maxMessageBytes ?? defaultMaxMessageBytes),
      onLine: (line) => this.#hear(line, agent),
      onOversize: ({ bytes }) => {
        this.#log.note('oversize', () => `a message of ${bytes} bytes`);
        this.close(closeCodes.tooLarge, 'A message of the agent is too large');
      },
    });
    this.#running = agent;
    agent.onData((bytes) => splitter.push(bytes));
    agent.onEnd(({ error }) => {
      if (error !== undefined) {
        // After what it has said last.
        void this.#inward.add(0, () => Promise.resolve()).then(() => this.#failed(error));
      }
    });
    this.#options.sessions.join(this);
    return agent;
  }

  #hear(line: string, agent: Transport): void {
    void this.#inward
      .add(line.length, () => this.#passOn(line, agent))
      .catch((error: unknown) => this.#failed(error));
  }

  async #passOn(line: string, agent: Transport): Promise<void> {
    if (this.#isDone) {
      return;
    }
    const messages = messagesOn(line, this.#version);
    if (messages.length === 0) {
      this.#log.note('noise', () => shorten(line, 200));
    }
    for (const { message, text } of messages) {
      if (this.#lookup.takes(message)) {
        continue;
      }
      await (message['method'] === undefined
        ? this.#passAnswer(message, agent)
        : this.#passCall(message, text, agent));
    }
  }

  async #passAnswer(answer: JsonObject, agent: Transport): Promise<void> {
    const passed = renumbered(answer, this.#toClient, this.#toAgent);
    if (!('message' in passed) || passed.request === undefined) {
      this.#log.note('dropped', () => 'an answer of the agent that no request waits for');
      return;
    }
    const { request } = passed;
    const { id, result } = passed.message;
    const answered = { jsonrpc: '2.0', id };
    if (!isObject(result)) {
      const isList = request.method === 'session/list';
      await this.#send(isList ? { ...answered, error: getListError(answer) } : passed.message);
      return;
    }
    if (request.method === 'initialize') {
      this.#isInitialized = true;
      this.#version = result['protocolVersion'];
    }
    const own = await this.#sessions.answered(request, result);
    await this.#passEarly(own.begun, agent);
    await this.#send({ ...answered, result: own.result });
  }

  async #passCall(call: JsonObject, text: string, agent: Transport): Promise<void> {
    const own = callForClient(call, this.#isShared, this.#toAgent);
    if (own === undefined) {
      await this.#keepBack(call, text, agent);
      return;
    }
    const passed = renumbered(own, this.#toClient, this.#toAgent);
    if ('refused' in passed) {
      const { id, code, refused } = passed;
      await this.#answer(agent, { id, error: { code, message: refused } });
    } else if ('dropped' in passed) {
      this.#log.note('dropped', () => passed.dropped);
    } else {
      const isUpdate = call['method'] === 'session/update';
      const begun = isUpdate ? this.#sessions.updated(call['params'], text.length) : undefined;
      await (passed.message === call ? this.#socket.send(text) : this.#send(passed.message));
      await this.#passEarly(begun, agent);
    }
  }

  /** What the client may not see, or not yet: an update is held, a request is answered in its place. */
  async #keepBack(call: JsonObject, text: string, agent: Transport): Promise<void> {
    const { id, method, params } = call;
    const sessionId = sessionIdIn(params);
    this.#log.note('kept back', () => `${String(method)} of a session that isn’t shared`);
    if (id !== undefined) {
      const reason = sessionId === undefined ? 'unsupported' : 'sessionNotFound';
      const error = getRefusal(refusal(reason, ''), String(method), params);
      await this.#answer(agent, { id: isRequestId(id) ? id : null, error });
    } else if (method === 'session/update' && sessionId !== undefined) {
      this.#early.add(sessionId, text);
    }
  }

  /** The updates that came before it was known that their session is shared. */
  async #passEarly(sessionId: string | undefined, agent: Transport): Promise<void> {
    for (const text of sessionId === undefined ? [] : this.#early.take(sessionId)) {
      await this.#passOn(text, agent);
    }
  }

  async #answer(agent: Transport, answer: { id: unknown; error: unknown }): Promise<void> {
    await this.#tellAgent(agent, { jsonrpc: '2.0', ...answer });
  }

  /** The only way to the agent: whatever has waited for something meanwhile, nothing passes after the end. */
  async #tellAgent(agent: Transport | undefined, message: object): Promise<void> {
    if (!this.#isDone) {
      await agent?.write(`${JSON.stringify(message)}\n`);
    }
  }

  async #send(message: JsonObject): Promise<void> {
    await this.#socket.send(JSON.stringify(message));
  }

  #failed(error: unknown): void {
    if (!this.#isDone) {
      this.#log.note('ended', () => String(error));
      this.close(closeCodes.failed, 'The agent has ended');
    }
  }

  async #end(): Promise<void> {
    this.#options.sessions.leave(this);
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.close();
  }
}

const notShared =
  'Only sessions in the folders of the window that shares this agent can be used, as far as the agent lists them';

/**
 * The messages on a line of an agent, each with its text as it can be passed on, which is all of the line if that is
 * one message; none if it is noise. Only version 2 has batches, whose messages are passed on one by one (V2-RPC-1).
 */
function messagesOn(
  line: string,
  version: unknown,
): readonly { readonly message: Message; readonly text: string }[] {
  const message = parseMessage(line);
  if (message !== undefined) {
    return [{ message, text: line.startsWith('{') ? line : JSON.stringify(message) }];
  }
  const batch = version === 2 ? parseBatch(line) : undefined;
  return batch?.map((one) => ({ message: one, text: JSON.stringify(one) })) ?? [];
}
