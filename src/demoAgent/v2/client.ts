import { readFile, writeFile } from 'node:fs/promises';
import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  methods,
  type RequestPermissionSubject,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type * as version1 from '@agentclientprotocol/sdk/unstable';
import type {
  DemoCapabilities,
  DemoClient,
  PermissionQuestion,
  SendUpdate,
} from '../vocabulary/client';
import type { DemoUpdate } from '../vocabulary/updates';
import { Version2Updates } from './updates';

/** A client that speaks version 2: the agent changes files by itself, and tells of it. */
export class Version2Client implements DemoClient {
  readonly capabilities: DemoCapabilities;
  readonly #context: AgentContext;
  readonly #live = new Version2Updates(false);

  constructor(context: AgentContext, capabilities: ClientCapabilities) {
    this.#context = context;
    const { elicitation } = capabilities;
    // Everything else is a part of the version.
    this.capabilities = {
      ...(elicitation && { elicitation }),
      session: { configOptions: { boolean: {} }, compaction: {} },
      subagents: {},
      ownWork: true,
    };
  }

  update(sessionId: string, update: DemoUpdate): Promise<void> {
    return this.#tell(sessionId, this.#live.of(update));
  }

  replay(): SendUpdate {
    const replayed = new Version2Updates(true);
    return (sessionId, update) => this.#tell(sessionId, replayed.of(update));
  }

  async ask(
    question: PermissionQuestion,
    limits: version1.SendRequestOptions,
  ): Promise<string | undefined> {
    const { sessionId, title, description, options } = question;
    const { outcome } = await this.#context.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        title,
        ...(description !== undefined && { description }),
        subject: subjectOf(question),
        options: [...options],
      },
      limits,
    );
    return outcome.outcome === 'selected' && typeof outcome.optionId === 'string'
      ? outcome.optionId
      : undefined;
  }

  async elicit(
    request: version1.CreateElicitationRequest,
    limits: version1.SendRequestOptions,
  ): Promise<version1.CreateElicitationResponse> {
    return await this.#context.request(
      methods.client.elicitation.create,
      request as CreateElicitationRequest,
      limits,
    );
  }

  readText(_sessionId: string, path: string): Promise<string> {
    return readFile(path, 'utf8');
  }

  writeText(_sessionId: string, path: string, content: string): Promise<void> {
    return writeFile(path, content);
  }

  listChanged(): Promise<void> {
    return this.#context.notify('_session/list_changed', {});
  }

  async #tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    await Promise.all(
      updates.map((update) =>
        this.#context.notify(methods.client.session.update, { sessionId, update }),
      ),
    );
  }
}

function subjectOf({ toolCallId, command }: PermissionQuestion): RequestPermissionSubject {
  return command === undefined
    ? { type: 'tool_call', toolCall: { toolCallId } }
    : { type: 'command', ...command, toolCallId };
}
