import type { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { inSequence } from '../../util/async';
import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import { CountedLog, type ProtocolLog, shorten } from '../rpc/countedLog';
import { defaultMaxMessageBytes, LineSplitter } from '../rpc/lineSplitter';
import type { Transport } from '../transport/transport';
import { isPlainUpdate, messagesOn } from './agentLines';
import { type CheckedMessage, checkClientMessage, type MayUse } from './clientMessages';
import { SentRequests, sessionIdIn } from './sentRequests';
import { SessionLookup } from './sessionLookup';
import { rowsFor } from './sharedRows';
import type { SharedSessions, SharingClient } from './sharedSessions';

export interface SharedConnectionOptions {
  readonly socket: WebSocket;
  /** Starts a process of the agent for this client alone. */
  readonly start: () => Promise<Transport>;
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
/** Bytes that may wait to be sent, and lines of the agent that may wait to be read, before it is paused. */
const mostHeld = 1024 * 1024;
/** UTF-16 units of an update that other clients are sent, too. */
const longestPassedOn = 64 * 1024;
/** Sessions at a time whose end of work is told to others. */
const mostWorking = 1000;
/** How long a client has to confirm the end. */
const graceMs = 1000;

/** The codes of RFC 6455 with which this side ends a connection. */
const closeCodes = {
  away: 1001,
  unsupported: 1003,
  refused: 1008,
  tooLarge: 1009,
  failed: 1011,
} as const;
type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/**
 * One client of a shared agent: passes messages between its WebSocket and a process of the agent of its own. Reads as
 * much of them as it needs to keep the client to what is shared, and to know which sessions it has open.
 */
export class SharedConnection implements SharingClient {
  /** Resolves when the client is gone and its process has ended. */
  readonly ended: Promise<void>;
  readonly #options: SharedConnectionOptions;
  readonly #socket: WebSocket;
  readonly #log: CountedLog;
  readonly #sent = new SentRequests();
  readonly #lookup: SessionLookup;
  /** Keeps the messages in their order, as some need time to be checked. */
  readonly #outward = inSequence();
  readonly #inward = inSequence();
  #agent: Promise<Transport> | undefined;
  /** Messages of the client that the agent hasn't taken: no more are read meanwhile. */
  #waiting = 0;
  /** Of lines of the agent that wait to be sent. */
  #heldBytes = 0;
  #isInitialized = false;
  /** Of the protocol, as the agent has chosen it. */
  #version: unknown;
  /** Sessions that the agent works in, as it has said in version 2. */
  readonly #working = new Set<string>();
  #isThere = true;
  #isDone = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(options: SharedConnectionOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#log = new CountedLog(options.log, 5);
    this.#lookup = new SessionLookup({
      ask: async (request) => (await this.#agent)?.write(`${JSON.stringify(request)}\n`),
      note: (result) => this.#rowsOf(result),
      timeoutMs: options.lookupMs,
    });
    this.#listen();
    this.ended = new Promise((resolve) => {
      this.#socket.once('close', () => void this.#end().then(resolve));
    });
  }

  /** Ends the connection, with a reason of at most 123 bytes. */
  close(code: CloseCode = closeCodes.away, reason = ''): void {
    this.#isDone = true;
    this.#socket.close(code, reason);
    // It is read again, so that the other side's consent is noticed.
    this.#socket.resume();
    setTimeout(() => this.#socket.terminate(), graceMs).unref();
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

  /** Other sessions are none of the client's business. */
  #tell(sessionId: string, update: JsonObject): void {
    if (this.#options.sessions.isShared(sessionId)) {
      this.#notify('session/update', { sessionId, update });
    }
  }

  /** Nothing is told before `initialize` was answered. What a client is slow to take isn't kept for it. */
  #notify(method: string, params: object): void {
    if (this.#isInitialized && this.#socket.bufferedAmount + this.#heldBytes < mostHeld) {
      void this.#inward(() => this.#send({ jsonrpc: '2.0', method, params }));
    }
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('message', (data, isBinary) => {
      this.#isThere = true;
      if (isBinary) {
        this.close(closeCodes.unsupported, 'Messages are text');
        return;
      }
      socket.pause();
      this.#waiting += 1;
      void this.#outward(() => this.#take((data as Buffer).toString('utf8')))
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#waiting -= 1;
          if (this.#waiting === 0) {
            socket.resume();
          }
        });
    });
    socket.on('pong', () => (this.#isThere = true));
    socket.on('ping', () => (this.#isThere = true));
    // `close` follows.
    socket.on('error', (error) => this.#log.note('connection', () => error.message));
    this.#quiet = setInterval(
      () => this.#lookWhether(),
      this.#options.quietMs ?? defaultQuietMs,
    ).unref();
  }

  #lookWhether(): void {
    if (this.#agent === undefined) {
      this.close(closeCodes.refused, 'The first message didn’t come in time');
    } else if (!this.#isThere && !this.#socket.isPaused) {
      this.#socket.terminate();
    } else {
      this.#isThere = false;
      this.#socket.ping();
    }
  }

  /** Resolves when the agent has taken the message. */
  async #take(text: string): Promise<void> {
    if (this.#isDone) {
      return;
    }
    const checked = await checkClientMessage(text, this.#options.mayUse);
    const line = 'message' in checked ? lineOf(checked.message) : undefined;
    if (!('message' in checked) || line === undefined) {
      await this.#refuse('message' in checked ? tooDeep(checked.message) : checked);
      return;
    }
    const { message } = checked;
    const isFirst = this.#agent === undefined;
    if (isFirst !== (message['method'] === 'initialize')) {
      this.close(closeCodes.refused, 'The first message, and no other, must be initialize');
      return;
    }
    this.#agent ??= this.#startAgent();
    const agent = await this.#agent;
    if (!(await this.#mayUseSession(message))) {
      await this.#refuse({ refused: notShared, code: -32602, id: message['id'] });
      return;
    }
    const { prompted } = this.#sent.add(message);
    if (prompted !== undefined) {
      this.#options.sessions.opened(this, prompted);
    }
    await agent.write(`${line}\n`);
  }

  /** Whether the message names no session, or one in a folder that is shared. */
  async #mayUseSession({ method, params }: JsonObject): Promise<boolean> {
    if (method === undefined || !isObject(params) || params['sessionId'] === undefined) {
      return true;
    }
    const { sessions } = this.#options;
    const sessionId = sessionIdIn(params);
    const isShared = (): boolean => sessionId !== undefined && sessions.isShared(sessionId);
    const cwd = asString(params['cwd']);
    // Some agents find a folder only as they spell it.
    for (const folder of new Set([cwd, undefined])) {
      if (sessionId !== undefined && !isShared()) {
        await this.#lookup.read(folder, isShared);
      }
    }
    return isShared();
  }

  async #refuse({
    refused,
    code,
    id,
  }: Extract<CheckedMessage, { refused: string }>): Promise<void> {
    this.#log.note('refused', () => refused);
    if (this.#agent === undefined) {
      this.close(closeCodes.refused, refused);
    } else if (id !== undefined) {
      await this.#send({ jsonrpc: '2.0', id, error: { code, message: refused } });
    }
  }

  async #startAgent(): Promise<Transport> {
    const agent = await this.#options.start();
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
    agent.onData((bytes) => splitter.push(bytes));
    agent.onEnd(({ error }) => {
      if (error !== undefined) {
        // After what it has said last.
        void this.#inward(() => Promise.resolve()).then(() => this.#failed(error));
      }
    });
    this.#options.sessions.join(this);
    return agent;
  }

  /** A line of the agent; while many wait, it is paused. */
  #hear(line: string, agent: Transport): void {
    this.#heldBytes += line.length;
    if (this.#heldBytes > mostHeld) {
      agent.pause();
    }
    void this.#inward(() => this.#passOn(line))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        const wasMore = this.#heldBytes > mostHeld;
        this.#heldBytes -= line.length;
        if (wasMore && this.#heldBytes <= mostHeld) {
          agent.resume();
        }
      });
  }

  async #passOn(line: string): Promise<void> {
    if (this.#isDone) {
      return;
    }
    if (isPlainUpdate(line)) {
      await this.#sendText(line);
      return;
    }
    const messages = messagesOn(line, this.#version);
    if (messages.length === 0) {
      this.#log.note('noise', () => shorten(line, 200));
    }
    for (const { message, text } of messages) {
      await this.#passMessage(message, text);
    }
  }

  async #passMessage(message: JsonObject, text: string): Promise<void> {
    if (this.#lookup.takes(message)) {
      return;
    }
    if (message['method'] === 'session/update' && text.length <= longestPassedOn) {
      this.#noteUpdate(message);
    }
    const answer = message['method'] === undefined ? await this.#answered(message) : message;
    await (answer === message ? this.#sendText(text) : this.#send(answer));
  }

  #noteUpdate({ params }: JsonObject): void {
    const { sessions } = this.#options;
    const { update } = isObject(params) ? params : {};
    const sessionId = sessionIdIn(params);
    if (!isObject(update) || sessionId === undefined || !sessions.isShared(sessionId)) {
      return;
    }
    switch (update['sessionUpdate']) {
      case 'session_info_update':
        sessions.pass(this, sessionId, update);
        break;
      case 'subagent_update':
        sessions.share(sessionIdIn(update) ?? '');
        break;
      case 'subagent_spawned':
        sessions.share(sessionIdIn({ sessionId: update['subagentSessionId'] }) ?? '');
        break;
      case 'state_update':
        this.#noteState(sessionId, update['state']);
    }
  }

  /** In version 2, a prompt is answered when it is taken: its turn ends later, and then the list is different. */
  #noteState(sessionId: string, state: unknown): void {
    if (state !== 'idle') {
      if (this.#working.size < mostWorking) {
        this.#working.add(sessionId);
      }
    } else if (this.#working.delete(sessionId)) {
      this.#options.sessions.changedList(this);
    }
  }

  /** What an answer of the agent means for the sessions; with the rows of a list as the client may see them. */
  async #answered(message: JsonObject): Promise<JsonObject> {
    const { method, sessionId } = this.#sent.answered(message['id']);
    const { result } = message;
    if (method === undefined || !isObject(result)) {
      return message;
    }
    const { sessions } = this.#options;
    switch (method) {
      case 'initialize':
        this.#isInitialized = true;
        this.#version = result['protocolVersion'];
        return message;
      case 'session/list':
        return { ...message, result: await this.#rowsOf(result) };
      case 'session/load':
      case 'session/resume':
        sessions.opened(this, sessionId ?? '');
        return message;
      case 'session/close':
        sessions.closed(this, sessionId ?? '');
        return message;
      case 'session/new':
      case 'session/fork': {
        const begun = sessionIdIn(result) ?? '';
        sessions.share(begun);
        sessions.opened(this, begun);
        break;
      }
      case 'session/delete':
        sessions.closed(this, sessionId ?? '');
    }
    // Another one, one less, a title, or a time.
    sessions.changedList(this);
    return message;
  }

  /** The sessions of a list that the client may use; they are known from now on. */
  async #rowsOf(result: JsonObject): Promise<JsonObject> {
    const { sessions, mayUse } = this.#options;
    const isOpenElsewhere = (id: string): boolean => sessions.isOpenElsewhere(this, id);
    const own = await rowsFor(result, mayUse, isOpenElsewhere);
    for (const row of asArray(own['sessions'])) {
      sessions.share(sessionIdIn(row) ?? '');
    }
    return own;
  }

  async #send(message: JsonObject): Promise<void> {
    await this.#sendText(JSON.stringify(message));
  }

  /** Resolves at once while little waits to be sent. */
  async #sendText(text: string): Promise<void> {
    const sent = new Promise<void>((resolve) => {
      this.#socket.send(text, () => resolve());
    });
    if (this.#socket.bufferedAmount > mostHeld) {
      await sent;
    }
  }

  #failed(error: unknown): void {
    if (!this.#isDone) {
      this.#log.note('ended', () => String(error));
      this.close(closeCodes.failed, 'The agent has ended');
    }
  }

  async #end(): Promise<void> {
    this.#isDone = true;
    clearInterval(this.#quiet);
    this.#options.sessions.leave(this);
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.close();
  }
}

const notShared =
  'Only sessions in the folders of the window that shares this agent can be used, as far as the agent lists them';

/** `undefined` if it is nested too deeply to be written. */
function lineOf(message: JsonObject): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}

function tooDeep({ id }: JsonObject): Extract<CheckedMessage, { refused: string }> {
  return { refused: 'The message is nested too deeply', code: -32600, id };
}
