import { readFile, writeFile } from 'node:fs/promises';
import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { RequestError } from '../vocabulary/requestErrors';
import type { Connection } from '../wire/connection';
import { isObject, type Json } from '../wire/message';
import { version1Update } from './version1Updates';
import { Version2Updates } from './version2Updates';

/** A question whether something may be done. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly title: string;
  readonly description: string;
  readonly toolCallId: string;
  /** The command that it is about, and its folder. */
  readonly command?: { readonly command: string; readonly cwd: string };
  readonly options: readonly PermissionOption[];
}

const methodNotFound = -32601;

/** Sends an update of a session. */
export type SendUpdate = (sessionId: string, update: DemoUpdate) => Promise<void>;

/** The client of a connection. Requests end as soon as their signal aborts, and are canceled then. */
export class Client {
  /** The capabilities in the terms of version 1. */
  readonly capabilities: ClientCapabilities;
  readonly speaks2: boolean;
  readonly #connection: Connection;
  readonly #live = new Version2Updates(false);

  constructor(connection: Connection, speaks2: boolean, capabilities: ClientCapabilities) {
    this.#connection = connection;
    this.speaks2 = speaks2;
    // What version 2 doesn't ask for is a part of it.
    this.capabilities = speaks2
      ? {
          ...(capabilities.elicitation && { elicitation: capabilities.elicitation }),
          session: { configOptions: { boolean: {} }, compaction: {} },
          subagents: {},
          plan: {},
        }
      : capabilities;
  }

  /** Whether the client, or in version 2 the agent itself, writes files. */
  get writesFiles(): boolean {
    return this.speaks2 || this.capabilities.fs?.writeTextFile === true;
  }

  update(sessionId: string, update: DemoUpdate): Promise<void> {
    return this.#tell(sessionId, this.speaks2 ? this.#live.of(update) : this.#inVersion1(update));
  }

  /** Sends the updates of one replay. */
  replay(): SendUpdate {
    const replayed = new Version2Updates(true);
    return (sessionId, update) =>
      this.#tell(sessionId, this.speaks2 ? replayed.of(update) : this.#inVersion1(update));
  }

  #inVersion1(update: DemoUpdate): ReturnType<typeof version1Update> {
    return version1Update(update, Boolean(this.capabilities.plan));
  }

  /** Resolves to the option that was chosen, if one was. */
  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | undefined> {
    const { sessionId, title, description, toolCallId, command, options } = question;
    const toolCall = { toolCallId };
    const subject = command
      ? { type: 'command', ...command, toolCallId }
      : { type: 'tool_call', toolCall };
    const about = this.speaks2 ? { title, description, subject } : { toolCall };
    const params = { sessionId, ...about, options };
    const answer = await this.#request('session/request_permission', params, signal);
    const { outcome } = answer as { outcome?: { outcome: string; optionId?: string } };
    return outcome?.outcome === 'selected' ? outcome.optionId : undefined;
  }

  async elicit(
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<CreateElicitationResponse> {
    const answer = await this.#request('elicitation/create', request, signal);
    return answer as CreateElicitationResponse;
  }

  /** Asks with a method that only some agents have; `undefined` if the client doesn't know it. */
  async askOwn(method: string, params: Json, signal: AbortSignal): Promise<Json | undefined> {
    try {
      return await this.#request(method, params, signal);
    } catch (error) {
      if (error instanceof RequestError && error.code === methodNotFound) {
        return undefined;
      }
      throw error;
    }
  }

  /** Tells something with a method that only some agents have. */
  tellOwn(method: string, params: Json): Promise<void> {
    return this.#connection.notify(method, params);
  }

  /** Rejects if the client reads no files for agents, or not this one. */
  async readText(sessionId: string, path: string, signal: AbortSignal): Promise<string> {
    if (this.speaks2 || this.capabilities.fs?.readTextFile !== true) {
      return readFile(path, 'utf8');
    }
    const answer = await this.#request('fs/read_text_file', { sessionId, path }, signal);
    return (answer as { readonly content: string }).content;
  }

  async writeText(
    sessionId: string,
    path: string,
    content: string,
    signal: AbortSignal,
  ): Promise<void> {
    await (this.speaks2
      ? writeFile(path, content)
      : this.#request('fs/write_text_file', { sessionId, path, content }, signal));
  }

  /** What a list of sessions tells has changed. */
  listChanged(): Promise<void> {
    return this.#connection.notify('_session/list_changed', {});
  }

  async #tell(sessionId: string, updates: readonly unknown[]): Promise<void> {
    await Promise.all(
      updates.map((update) =>
        this.#connection.notify('session/update', { sessionId, update: update as Json }),
      ),
    );
  }

  async #request(method: string, params: unknown, signal: AbortSignal): Promise<Json> {
    signal.throwIfAborted();
    const id = await this.#connection.request({ method, params: params as Json });
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    try {
      return getAnswer(await Promise.race([this.#connection.answerTo(id), cancelled]));
    } catch (error) {
      if (signal.aborted) {
        await this.#connection.notify('$/cancel_request', { requestId: id });
      }
      throw error;
    }
  }
}

/** The result of an answer; throws its error. */
function getAnswer(answer: Json): Json {
  const error = isObject(answer) ? answer['error'] : undefined;
  if (isObject(error)) {
    const { code, message } = error as { readonly code?: number; readonly message?: string };
    throw new RequestError(code ?? -32603, message ?? 'The client has failed');
  }
  return answer;
}
