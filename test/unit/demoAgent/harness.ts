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
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { createDemoAgent, type SpokenVersions } from '../../../src/demoAgent/agent';
import type { ForkKind } from '../../../src/demoAgent/forks';
import { SessionStore } from '../../../src/demoAgent/store';
import { assertValid } from './schema';

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
  readonly forks?: ForkKind;
  readonly versions?: SpokenVersions;
  /** Adds the client's handlers: permissions, files, terminals, forms. */
  readonly answers?: (app: ClientApp) => void;
}

/** The temporary folders, agents and clients of one test; call `dispose` in `afterEach`. */
export class DemoWorld {
  readonly #ends: (() => Promise<void>)[] = [];
  /** The agents' clock, which advances by a second each time it is read. */
  time = Date.UTC(2025, 5, 2, 9);

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
    const agent = createDemoAgent(await SessionStore.open(store), {
      version: '1.2.3',
      pageSize: options.pageSize ?? 20,
      pace: options.pace ?? 0,
      forks: options.forks ?? 'message',
      versions: options.versions ?? '1',
      now: () => (this.time += 1000),
    });
    const toAgent = new TransformStream<Uint8Array, Uint8Array>();
    const toClient = new TransformStream<Uint8Array, Uint8Array>();
    agent.connect(ndJsonStream(toClient.writable, toAgent.readable));
    const test = TestClient.connect(toAgent.writable, toClient.readable, options);
    this.#ends.unshift(async () => {
      test.connection.close();
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

/** A client that records everything it receives and checks it against the protocol. */
export class TestClient {
  readonly connection: ClientConnection;
  readonly received: SessionNotification[];
  readonly #capabilities: ClientCapabilities;

  private constructor(
    connection: ClientConnection,
    received: SessionNotification[],
    capabilities: ClientCapabilities,
  ) {
    this.connection = connection;
    this.received = received;
    this.#capabilities = capabilities;
  }

  static connect(
    output: WritableStream<Uint8Array>,
    input: ReadableStream<Uint8Array>,
    options: DemoOptions,
  ): TestClient {
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
    options.answers?.(app);
    const connection = app.connect({
      writable: stream.writable,
      readable: stream.readable.pipeThrough(tap),
    });
    return new TestClient(connection, received, options.capabilities ?? {});
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
    const options = signal === undefined ? {} : { cancellationSignal: signal };
    const response = await this.connection.agent.request(method, params, options);
    const schema = responseSchemas[method];
    if (schema !== undefined) {
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
        assertValid('zSessionNotification', notification);
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

/** Only the updates that a load replays. */
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

/** For `assert.rejects`: a JSON-RPC error of this code. */
export function errorCode(code: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && 'code' in error, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}
