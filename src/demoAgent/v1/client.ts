import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  type ReadTextFileResponse,
  type SendRequestOptions,
  type TerminalOutputResponse,
} from '@agentclientprotocol/sdk/unstable';
import type {
  DemoClient,
  DemoTerminals,
  PermissionQuestion,
  SendUpdate,
} from '../vocabulary/client';
import type { DemoUpdate } from '../vocabulary/updates';
import { version1Updates } from './updates';

/** A client that speaks version 1: files and terminals are its own. */
export class Version1Client implements DemoClient {
  readonly capabilities: ClientCapabilities;
  readonly terminals: DemoTerminals;
  readonly #context: AgentContext;

  constructor(context: AgentContext, capabilities: ClientCapabilities) {
    this.#context = context;
    this.capabilities = capabilities;
    this.terminals = terminalsOf(context);
  }

  async update(sessionId: string, update: DemoUpdate): Promise<void> {
    const updates = version1Updates(update, this.capabilities);
    await Promise.all(
      updates.map((told) =>
        this.#context.notify(methods.client.session.update, { sessionId, update: told }),
      ),
    );
  }

  replay(): SendUpdate {
    return (sessionId, update) => this.update(sessionId, update);
  }

  async ask(
    { sessionId, toolCallId, options }: PermissionQuestion,
    limits: SendRequestOptions,
  ): Promise<string | undefined> {
    const { outcome } = await this.#context.request(
      methods.client.session.requestPermission,
      { sessionId, toolCall: { toolCallId }, options: [...options] },
      limits,
    );
    return outcome.outcome === 'selected' ? outcome.optionId : undefined;
  }

  elicit(
    request: CreateElicitationRequest,
    limits: SendRequestOptions,
  ): Promise<CreateElicitationResponse> {
    return this.#context.request(methods.client.elicitation.create, request, limits);
  }

  elicited(elicitationId: string): Promise<void> {
    return this.#context.notify(methods.client.elicitation.complete, { elicitationId });
  }

  async readText(sessionId: string, path: string, limits: SendRequestOptions): Promise<string> {
    const params = { sessionId, path };
    const method = methods.client.fs.readTextFile;
    const response: ReadTextFileResponse = await this.#context.request(method, params, limits);
    return response.content;
  }

  async writeText(
    sessionId: string,
    path: string,
    content: string,
    limits: SendRequestOptions,
  ): Promise<void> {
    const params = { sessionId, path, content };
    await this.#context.request(methods.client.fs.writeTextFile, params, limits);
  }

  listChanged(): Promise<void> {
    return this.#context.notify('_session/list_changed', {});
  }
}

function terminalsOf(context: AgentContext): DemoTerminals {
  const { create, waitForExit, output, release } = methods.client.terminal;
  return {
    create: async (request, limits) => (await context.request(create, request, limits)).terminalId,
    exit: (target, limits) => context.request(waitForExit, target, limits),
    output: async (target, limits) => {
      const response: TerminalOutputResponse = await context.request(output, target, limits);
      return response.output;
    },
    release: async (target) => {
      await context.request(release, target);
    },
  };
}
