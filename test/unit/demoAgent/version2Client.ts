import assert from 'node:assert/strict';
import * as version2 from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type {
  AnyMessage,
  ClientApp,
  ClientCapabilities,
  SessionNotification,
} from '@agentclientprotocol/sdk/unstable';
import { until } from '../../support/until';
import { assertValid } from './schema';
import { Version1View } from './version1View';

type Handler = (context: { readonly method: string; readonly params: unknown }) => unknown;
type Params = Readonly<Record<string, unknown>>;

const responseSchemas: Partial<Record<string, string>> = {
  'session/new': 'zNewSessionResponse',
  'session/resume': 'zResumeSessionResponse',
  'session/fork': 'zForkSessionResponse',
  'session/list': 'zListSessionsResponse',
  'session/prompt': 'zPromptResponse',
  'session/set_config_option': 'zSetSessionConfigOptionResponse',
  'session/set_title': 'zSetSessionTitleResponse',
};

const requestSchemas: Partial<Record<string, string>> = {
  'session/update': 'zUpdateSessionNotification',
  'session/request_permission': 'zRequestPermissionRequest',
  'elicitation/create': 'zCreateElicitationRequest',
};

/**
 * Speaks version 2 with the agent and lets tests ask and see everything in the terms of version 1, so that they don't
 * differ; what the agent really sends is checked against version 2's schema.
 */
export class Version2Client {
  /** What the agent sent, in the terms of version 1. */
  readonly received: SessionNotification[] = [];
  /** What it really sent. */
  readonly raw: version2.UpdateSessionNotification[] = [];
  readonly asked: Params[] = [];
  readonly connection: version2.ClientConnection;
  readonly #view = new Version1View();

  constructor(
    output: WritableStream<Uint8Array>,
    input: ReadableStream<Uint8Array>,
    answers: ((app: ClientApp) => void) | undefined,
  ) {
    const stream = version2.ndJsonStream(output, input);
    const tap = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        if ('method' in message) {
          this.#note(message.method, message.params);
        }
        controller.enqueue(message);
      },
    });
    this.connection = clientOf(answers).connect({
      writable: stream.writable,
      readable: stream.readable.pipeThrough(tap),
    });
  }

  async request(method: string, params: object): Promise<unknown> {
    switch (method) {
      case 'initialize':
        return this.#initialize(params as { clientCapabilities: ClientCapabilities });
      case 'session/load':
        return this.#load(params);
      case 'session/prompt':
        return this.#prompt(params as { sessionId: string });
      case 'session/set_mode': {
        const { sessionId, modeId } = params as { sessionId: string; modeId: string };
        const change = { sessionId, configId: 'mode', type: 'id', value: modeId };
        return this.#ask('session/set_config_option', change);
      }
      case 'session/set_config_option':
        return this.#ask(method, { type: 'id', ...params });
      default:
        return this.#ask(method, params);
    }
  }

  cancel(sessionId: string): Promise<void> {
    return this.connection.agent.notify(version2.methods.agent.session.cancel, { sessionId });
  }

  /** The states that a session has reported. */
  states(sessionId: string): (version2.StateUpdate & { readonly sessionUpdate: string })[] {
    return this.raw.flatMap((sent) =>
      sent.sessionId === sessionId && sent.update.sessionUpdate === 'state_update'
        ? [sent.update as version2.StateUpdate & { readonly sessionUpdate: string }]
        : [],
    );
  }

  async #initialize({ clientCapabilities }: { clientCapabilities: ClientCapabilities }) {
    const { elicitation } = clientCapabilities;
    const answer = await this.#ask('initialize', {
      protocolVersion: 2,
      info: { name: 'test', version: '0' },
      capabilities: { ...(elicitation && { elicitation }) },
      // As a client sends them that speaks version 1, too.
      clientInfo: { name: 'test', version: '0' },
      clientCapabilities,
    });
    assertValid('zInitializeResponse', answer, 2);
    return answer;
  }

  async #load(params: object): Promise<unknown> {
    this.#view.isReplay = true;
    try {
      return await this.#ask('session/resume', { ...params, replayFrom: { type: 'start' } });
    } finally {
      this.#view.isReplay = false;
    }
  }

  /** Resolves when the turn ends, like the request of version 1. */
  async #prompt(params: { readonly sessionId: string }): Promise<unknown> {
    const before = this.states(params.sessionId).length;
    await this.#ask('session/prompt', params);
    const ending = (): version2.StateUpdate | undefined =>
      this.states(params.sessionId)
        .slice(before)
        .find(({ state }) => state === 'idle');
    await until(() => ending() !== undefined || this.connection.signal.aborted);
    this.connection.signal.throwIfAborted();
    const { stopReason, error } = ending() as { stopReason?: string; error?: Params };
    if (stopReason === 'error') {
      throw Object.assign(new Error(String(error?.['message'])), error);
    }
    return { stopReason };
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const response = await this.connection.agent.request(method as '_', params);
    const schema = responseSchemas[method];
    if (schema !== undefined) {
      assertValid(schema, response, 2);
    }
    return this.#view.response(response);
  }

  #note(method: string, params: unknown): void {
    const schema = requestSchemas[method];
    assert.ok(schema ?? !/^(fs|terminal)\//.test(method), `${method} is not in version 2`);
    if (schema === undefined) {
      return;
    }
    assertValid(schema, params, 2);
    if (method === 'session/update') {
      const sent = params as version2.UpdateSessionNotification;
      this.raw.push(sent);
      this.received.push(...this.#view.updates(sent));
    } else {
      this.asked.push(params as Params);
    }
  }
}

/** A client of version 2 with the handlers that a test has for version 1. */
function clientOf(answers: ((app: ClientApp) => void) | undefined): version2.ClientApp {
  const handlers = new Map<string, Handler>();
  const add = (method: string, handler: Handler): unknown => {
    handlers.set(method, handler);
    return recorder;
  };
  const recorder = { onRequest: add, onNotification: add };
  answers?.(recorder as unknown as ClientApp);
  const call = (method: string, params: unknown): unknown => {
    const handler = handlers.get(method) ?? handlers.get('*');
    return handler?.({ method, params });
  };
  const { session, elicitation } = version2.methods.client;
  const app = version2.client({ name: 'test' }).onNotification('*', ({ method, params }) => {
    call(method, params);
  });
  if (handlers.has(session.requestPermission)) {
    app.onRequest(session.requestPermission, async ({ params }) => {
      const { sessionId, options, subject } = params;
      const { toolCall, toolCallId } = subject as {
        toolCall?: { toolCallId: string };
        toolCallId?: string;
      };
      const asked = {
        sessionId,
        options,
        toolCall: { toolCallId: toolCall?.toolCallId ?? toolCallId },
      };
      return (await call(session.requestPermission, asked)) as version2.RequestPermissionResponse;
    });
  }
  if (handlers.has(elicitation.create)) {
    app.onRequest(
      elicitation.create,
      async ({ params }) =>
        (await call(elicitation.create, params)) as version2.CreateElicitationResponse,
    );
  }
  return app;
}

export type Kind<Name extends string> = Extract<version2.SessionUpdate, { sessionUpdate: Name }>;

/** The updates of a kind. */
export function ofKind<Name extends version2.SessionUpdate['sessionUpdate']>(
  own: Version2Client,
  kind: Name,
): Kind<Name>[] {
  return own.raw.flatMap(({ update }) =>
    update.sessionUpdate === kind ? [update as Kind<Name>] : [],
  );
}

/** The diffs of all calls. */
export function diffs(own: Version2Client): Extract<version2.ToolCallContent, { type: 'diff' }>[] {
  return ofKind(own, 'tool_call_update')
    .flatMap(({ content }) => content ?? [])
    .flatMap((content) =>
      content.type === 'diff'
        ? [content as Extract<version2.ToolCallContent, { type: 'diff' }>]
        : [],
    );
}
