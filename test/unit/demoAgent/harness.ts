import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type AnyMessage,
  type ClientApp,
  type ClientCapabilities,
  client,
  methods,
  ndJsonStream,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { DemoAgent } from '../../../src/demoAgent/demoAgent';
import { SessionStore } from '../../../src/demoAgent/store/sessionStore';
import { assertValid } from './schema';
import { Version2Client } from './version2Client';

const responseSchemas: Partial<Record<string, string>> = {
  initialize: 'zInitializeResponse',
  'session/new': 'zNewSessionResponse',
  'session/load': 'zLoadSessionResponse',
  'session/resume': 'zResumeSessionResponse',
  'session/fork': 'zForkSessionResponse',
  'session/list': 'zListSessionsResponse',
  'session/prompt': 'zPromptResponse',
  'session/set_config_option': 'zSetSessionConfigOptionResponse',
  'session/set_title': 'zSetSessionTitleResponse',
};

export interface DemoOptions {
  readonly capabilities?: ClientCapabilities;
  readonly pageSize?: number;
  readonly pace?: number;
  readonly tellsOptions?: boolean;
  /** Adds the client's handlers: permissions, files, terminals, forms. */
  readonly answers?: (app: ClientApp) => void;
}

/** The versions that the agent speaks, for tests that hold for each. */
export const versions = [1, 2] as const;

/** Returns `only` for a test that holds for one version only. */
export function inVersion(wanted: 1 | 2, version: 1 | 2): typeof only {
  return version === wanted ? only : () => undefined;
}

function only(title: string, run: () => Promise<void>): void {
  it(title, run);
}

/** The temporary folders, agents and clients of one test; call `dispose` in `afterEach`. */
export class DemoWorld {
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #version: 1 | 2;
  /** The agents' clock, which advances by a second each time it is read. */
  time = Date.UTC(2025, 5, 2, 9);

  /** The clients speak this version. */
  constructor(version: 1 | 2 = 1) {
    this.#version = version;
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'demo-agent-'));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /**
   * Another agent over the same store, as in a separate process, and a client that has initialized
   * it.
   */
  async connect(store: string, options: DemoOptions = {}): Promise<TestClient> {
    const agentOptions = {
      version: '1.2.3',
      pageSize: options.pageSize ?? 20,
      pace: options.pace ?? 0,
      tellsOptions: options.tellsOptions ?? false,
      now: () => (this.time += 1000),
    };
    const toAgent = new TransformStream<Uint8Array, Uint8Array>();
    const toClient = new TransformStream<Uint8Array, Uint8Array>();
    const writer = toClient.writable.getWriter();
    const agent = new DemoAgent(await SessionStore.open(store), agentOptions, (text) =>
      writer.write(new TextEncoder().encode(text)),
    );
    void agent.serve(toAgent.readable);
    const test = TestClient.connect(toAgent.writable, toClient.readable, options, this.#version);
    this.#ends.unshift(async () => {
      test.close();
      await agent.close();
    });
    await test.initialize();
    return test;
  }

  async dispose(): Promise<void> {
    for (const end of this.#ends.splice(0)) {
      await end();
    }
  }
}

/** What a client of one version does; everything is in the terms of version 1. */
interface Peer {
  readonly received: SessionNotification[];
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  cancel(sessionId: string): Promise<void>;
  readonly connection: { close(): void };
}

/** A client that records everything it receives and checks it against the protocol. */
export class TestClient {
  /** Set if it speaks version 2. */
  readonly version2: Version2Client | undefined;
  readonly #peer: Peer;
  readonly #capabilities: ClientCapabilities;
  /** The agent speaks drafts that the SDK doesn't know. */
  readonly #hasDrafts: boolean;

  private constructor(peer: Peer, capabilities: ClientCapabilities, hasDrafts: boolean) {
    this.#peer = peer;
    this.version2 = peer instanceof Version2Client ? peer : undefined;
    this.#capabilities = capabilities;
    this.#hasDrafts = hasDrafts;
  }

  static connect(
    output: WritableStream<Uint8Array>,
    input: ReadableStream<Uint8Array>,
    options: DemoOptions,
    version: 1 | 2 = 1,
  ): TestClient {
    const { answers, capabilities = {} } = options;
    const peer =
      version === 2
        ? new Version2Client(output, input, answers)
        : version1Client(output, input, answers);
    return new TestClient(peer, capabilities, options.tellsOptions === true);
  }

  /** What came, in the terms of version 1. */
  get received(): SessionNotification[] {
    return this.#peer.received;
  }

  cancel(sessionId: string): Promise<void> {
    return this.#peer.cancel(sessionId);
  }

  close(): void {
    this.#peer.connection.close();
  }

  /** Sends a request that the SDK doesn't know. */
  extension(method: string, params: object): Promise<unknown> {
    return this.#peer.request(method, params);
  }

  initialize(): Promise<AgentRequestResponsesByMethod['initialize']> {
    return this.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'test', version: '0' },
      clientCapabilities: this.#capabilities,
    });
  }

  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
    signal?: AbortSignal,
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    const answer = await this.#peer.request(method, params, signal);
    const response = answer as AgentRequestResponsesByMethod[Method];
    const schema = responseSchemas[method];
    if (schema !== undefined && this.version2 === undefined && !this.#hasDrafts) {
      assertValid(schema, response);
    }
    return response;
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.request(methods.agent.session.new, { cwd, mcpServers: [] });
    return sessionId;
  }

  /** Returns the stop reason. */
  async prompt(sessionId: string, text: string): Promise<string> {
    const { stopReason } = await this.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text }],
    });
    return stopReason;
  }

  /** Creates a session with one prompt and returns its id. */
  async prompted(cwd: string, text: string): Promise<string> {
    const sessionId = await this.newSession(cwd);
    await this.prompt(sessionId, text);
    return sessionId;
  }

  async load(sessionId: string, cwd: string): Promise<SessionUpdate[]> {
    this.received.length = 0;
    await this.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    return this.updates(sessionId);
  }

  /** The updates received for a session, each checked against the protocol. */
  updates(sessionId: string): SessionUpdate[] {
    return this.received
      .filter((notification) => notification.sessionId === sessionId)
      .map((notification) => {
        if (this.version2 === undefined) {
          assertValid('zSessionNotification', notification);
        }
        return notification.update;
      });
  }

  /** All titles of a listing, page by page. */
  async titles(params: { cwd?: string; archived?: string } = {}): Promise<(string | null)[][]> {
    const pages: (string | null)[][] = [];
    let cursor: string | null | undefined;
    do {
      const page = await this.request(methods.agent.session.list, {
        ...params,
        ...(cursor !== undefined && { cursor }),
      });
      pages.push(page.sessions.map((session) => session.title ?? null));
      cursor = page.nextCursor;
    } while (typeof cursor === 'string');
    return pages;
  }
}

function version1Client(
  output: WritableStream<Uint8Array>,
  input: ReadableStream<Uint8Array>,
  answers: DemoOptions['answers'],
): Peer {
  const received: SessionNotification[] = [];
  const stream = ndJsonStream(output, input);
  // Read before the SDK, which drops what it can't parse.
  const tap = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === 'session/update') {
        received.push(message.params as SessionNotification);
      }
      controller.enqueue(message);
    },
  });
  const app = client({ name: 'test' });
  answers?.(app);
  const connection = app.connect({
    writable: stream.writable,
    readable: stream.readable.pipeThrough(tap),
  });
  return {
    received,
    connection,
    request: (method, params, signal) =>
      connection.agent.request(
        method as '_',
        params,
        signal === undefined ? {} : { cancellationSignal: signal },
      ),
    cancel: (sessionId) => connection.agent.notify(methods.agent.session.cancel, { sessionId }),
  };
}

/** Returns the updates that a load replays. */
export function history(updates: readonly SessionUpdate[]): SessionUpdate[] {
  return updates.filter(
    ({ sessionUpdate }) =>
      ![
        'available_commands_update',
        'config_option_update',
        'current_mode_update',
        'session_info_update',
        'notice',
      ].includes(sessionUpdate),
  );
}

/** The concatenated text of all messages of a kind. */
export function textOf(
  updates: readonly SessionUpdate[],
  kind: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
): string {
  return updates
    .map((update) =>
      update.sessionUpdate === kind && update.content.type === 'text' ? update.content.text : '',
    )
    .join('');
}

/** Tells `assert.rejects` whether an error is a JSON-RPC error of this code. */
export function errorCode(code: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && 'code' in error, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}
