import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  type ReadTextFileResponse,
  type SendRequestOptions,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoClient, PermissionQuestion, SendUpdate } from '../vocabulary/client';
import type { DemoUpdate } from '../vocabulary/updates';
import { version1Update } from './updates';

/** A client that speaks version 1: files are its own. */
export class Version1Client implements DemoClient {
  readonly capabilities: ClientCapabilities;
  readonly #context: AgentContext;

  constructor(context: AgentContext, capabilities: ClientCapabilities) {
    this.#context = context;
    this.capabilities = capabilities;
  }

  async update(sessionId: string, update: DemoUpdate): Promise<void> {
    const told = version1Update(update);
    if (told !== undefined) {
      await this.#context.notify(methods.client.session.update, { sessionId, update: told });
    }
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
