import assert from 'node:assert/strict';
import type { AgentConnection, SessionUpdateEvent } from '../../../src/protocol/agentConnection';
import type { AgentRequests } from '../../../src/protocol/agentRequests';
import type { Transport } from '../../../src/protocol/agentTransport';
import { type ConnectOptions, connectAgent } from '../../../src/protocol/connectAgent';
import { AcpError } from '../../../src/protocol/errors';
import { LineSplitter } from '../../../src/protocol/lineSplitter';
import type { Block } from '../../../src/shared/transcript/content';
import { ableInitialize, type Scenario } from '../../fakeAgent/scenario';
import { inMemoryTransports } from '../../support/inMemoryTransport';
import { startedAgent } from '../../support/startedAgent';

export type Raw = Record<string, unknown>;
type Answer = (message: Raw) => unknown;

/** Collects log lines. */
export class TestLog {
  readonly lines: string[] = [];
  warn(message: string): void {
    this.lines.push(message);
  }
  info(message: string): void {
    this.lines.push(message);
  }
}

/** An agent in this process, at the other end of an in-memory transport. */
export class Peer {
  readonly received: Raw[] = [];
  readonly client: Transport;
  readonly own: Transport;
  readonly #answers = new Map<string, Answer>();
  readonly #waiting: {
    readonly test: (message: Raw) => boolean;
    readonly done: (m: Raw) => void;
  }[] = [];

  constructor(initializeResult: unknown = goodInitialize()) {
    [this.client, this.own] = inMemoryTransports();
    const splitter = new LineSplitter({
      maxBytes: 1e9,
      onLine: (line) => this.#receive(JSON.parse(line) as Raw),
      onOversize: () => undefined,
    });
    this.own.onData((bytes) => splitter.push(bytes));
    this.answer('initialize', () => initializeResult);
  }

  /** Answers a method with the function's result; never answers if that is `undefined`. */
  answer(method: string, answer: Answer): this {
    this.#answers.set(method, answer);
    return this;
  }

  fail(method: string, error: unknown): this {
    return this.answer(method, (message) => {
      this.send({ jsonrpc: '2.0', id: message['id'], error });
      return undefined;
    });
  }

  send(message: unknown): void {
    void this.own.write(`${JSON.stringify(message)}\n`);
  }

  sendText(text: string): void {
    void this.own.write(text);
  }

  update(sessionId: unknown, update: unknown): void {
    this.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }

  methods(): unknown[] {
    return this.received.map((message) => message['method']);
  }

  /** The first message that passes, among those already received and those to come. */
  message(test: (message: Raw) => boolean): Promise<Raw> {
    const found = this.received.find(test);
    return found
      ? Promise.resolve(found)
      : new Promise((done) => this.#waiting.push({ test, done }));
  }

  #receive(message: Raw): void {
    this.received.push(message);
    for (const { test, done } of this.#waiting) {
      if (test(message)) {
        done(message);
      }
    }
    const result = this.#answers.get(String(message['method']))?.(message);
    if (result !== undefined && message['id'] !== undefined) {
      this.send({ jsonrpc: '2.0', id: message['id'], result });
    }
  }
}

export function goodInitialize(rest: Raw = {}): Raw {
  return {
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
    ...rest,
  };
}

/** A connection and everything that it reported. */
export interface Seen {
  readonly connection: AgentConnection;
  readonly updates: SessionUpdateEvent[];
  readonly log: TestLog;
  /** The texts of all updates that have one. */
  readonly texts: () => string[];
}

export async function connect(
  transport: Transport,
  options: Partial<ConnectOptions> = {},
): Promise<Seen> {
  const log = new TestLog();
  const connection = await connectAgent(transport, { clientVersion: '1.2.3', log, ...options });
  const updates: SessionUpdateEvent[] = [];
  connection.onUpdate((event) => updates.push(event));
  const texts = (): string[] =>
    updates.flatMap(({ update }) =>
      'content' in update && !Array.isArray(update.content)
        ? [textOf(update.content as Block)]
        : [],
    );
  return { connection, updates, log, texts };
}

function textOf(block: Block): string {
  return block.type === 'text' ? block.text : `[${block.type}]`;
}

const started = new Set<Transport>();

/** The fake agent, as a process if its scenario needs one; ended by `endAgents`. */
export function startAgent(
  scenario: Scenario,
  options: { readonly graceMs?: number } = {},
): Transport {
  const transport = startedAgent(scenario, options);
  started.add(transport);
  return transport;
}

export async function endAgents(): Promise<void> {
  await Promise.all([...started].map((transport) => transport.close()));
  started.clear();
}

export const target = { sessionId: 's1', cwd: '/w', additionalDirectories: [], mcpServers: [] };

/** Request handlers for an agent; requests without a handler are refused. */
export function requestsWith(own: Partial<AgentRequests>): AgentRequests {
  const refuse = (): Promise<never> =>
    Promise.reject(new AcpError('gone', 'The test has no answer to this'));
  return {
    requestPermission: refuse,
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
    elicit: refuse,
    mcpMessage: refuse,
    unknownRequest: () => undefined,
    callNews: () => undefined,
    elicitationCompleted: () => undefined,
    accountChanged: () => undefined,
    ...own,
  };
}

/** Sends a request from the agent; resolves with the client's answer. */
export function ask(peer: Peer, method: string, params: unknown, id: unknown = 'q'): Promise<Raw> {
  peer.send({ jsonrpc: '2.0', id, method, params });
  return peer.message((message) => message['method'] === undefined && message['id'] === id);
}

export function codeOf(answer: Raw): unknown {
  return (answer['error'] as Raw | undefined)?.['code'];
}

export function rejectsWith(promise: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(promise, (error) => error instanceof AcpError && error.code === code);
}

export const isMethod =
  (method: string) =>
  (message: Raw): boolean =>
    message['method'] === method;

/** An agent with all capabilities. */
export function ablePeer(): Peer {
  return new Peer(goodInitialize(ableInitialize));
}
