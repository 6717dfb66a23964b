// oxlint-disable typescript/no-deprecated -- `McpServer` in place of `Server` brings 100 KB of schemas that go unused.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../model/ports';
import { deferred } from '../../../util/async';
import { getStack } from '../../../util/getStack';
import { asString, isObject } from '../../../util/json';
import type { Offer } from './offers';
import { bounded, type EditorTool, ToolRefusal } from './tool';

export interface AnswersOptions {
  readonly tools: readonly EditorTool[];
  /** Whether the tools that do more than read are there. Asked anew each time; by default they aren't. */
  readonly mayAct?: () => boolean;
  readonly version: string;
  readonly log: Log;
}

const instructions =
  'What the editor (VS Code) knows of the code in this workspace: compiler and linter problems, and language-aware navigation. Prefer these tools to searching text: "references" and "definition" are exact. Call "problems" after edits. Lines and columns count from 1; paths are relative to the session’s folder.';

/** The revision of the protocol that has no beginning; `acp` servers are of this one (`mcp/message`). */
const revision = '2026-07-28';
const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const unsupportedRevision = -32_022;
/** That revision says of each result whether it is all, and of what can be kept how long: the tools may change. */
const complete = { resultType: 'complete' };
const notKept = { ttlMs: 0, cacheScope: 'private' };
const capabilities = { tools: {} };

/** Answers the messages of the Model Context Protocol, one by one: the server keeps nothing between them. */
export class McpAnswers {
  readonly #options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /**
   * The answer to a message; `undefined` for one that needs none. Rejects if it is no message. `gone` aborts when nobody
   * waits for the answer any more.
   */
  async answer(written: unknown, offer: Offer, gone: AbortSignal): Promise<object | undefined> {
    const message = JSONRPCMessageSchema.parse(written);
    if (!isJSONRPCRequest(message)) {
      if ('method' in message && message.method === 'notifications/cancelled') {
        offer.cancel(message.params?.['requestId']);
      }
      return undefined;
    }
    const stateless = offer.way === 'acp' ? this.#answerStateless(message) : undefined;
    if (stateless !== undefined) {
      return { jsonrpc: '2.0', id: message.id, ...stateless };
    }
    const transport = new OneAnswer();
    const server = this.#createServer(offer, gone);
    await server.connect(transport);
    try {
      transport.onmessage?.(message);
      return await transport.answer;
    } finally {
      await server.close();
    }
  }

  /** What the SDK doesn't know: who this is, in the revision without `initialize`; other new ones are refused. */
  #answerStateless({ method, params }: JSONRPCRequest): object | undefined {
    const requested: unknown = params?._meta?.[revisionKey];
    if (requested !== undefined && requested !== revision) {
      const data = { supported: [revision], requested: asString(requested)?.slice(0, 100) ?? '' };
      return {
        error: { code: unsupportedRevision, message: 'Unsupported protocol version', data },
      };
    }
    if (method !== 'server/discover') {
      return undefined;
    }
    const _meta = { 'io.modelcontextprotocol/serverInfo': this.#info };
    const result = { supportedVersions: [revision], capabilities, instructions };
    return { result: { ...complete, ...notKept, ...result, _meta } };
  }

  get #info() {
    return { name: 'vscode_editor', title: 'VS Code', version: this.#options.version };
  }

  #createServer(offer: Offer, gone: AbortSignal): Server {
    const { tools: all, mayAct } = this.#options;
    const tools = all.filter(
      ({ name, acts }) =>
        !offer.without.includes(name) && (acts === undefined || mayAct?.() === true),
    );
    const server = new Server(this.#info, { capabilities, instructions });
    const isStateless = offer.way === 'acp';
    server.setRequestHandler(ListToolsRequestSchema, () => {
      offer.noteListed(tools.map(({ name }) => name));
      return { tools: tools.map(listed), ...(isStateless && { ...complete, ...notKept }) };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
      const tool = tools.find(({ name }) => name === params.name);
      const result =
        tool === undefined
          ? failed(`There is no tool "${params.name.slice(0, 100)}".`)
          : await this.#call(tool, params.arguments ?? {}, { offer, gone, requestId });
      return isStateless ? { ...result, ...complete } : result;
    });
    return server;
  }

  async #call(
    tool: EditorTool,
    args: Record<string, unknown>,
    {
      offer,
      gone,
      requestId,
    }: { readonly offer: Offer; readonly gone: AbortSignal; readonly requestId: string | number },
  ): Promise<CallToolResult> {
    offer.noteUsed(tool.name);
    try {
      const text = await offer.run(requestId, gone, (session, signal) =>
        tool.run(args, session, signal),
      );
      return { content: [{ type: 'text', text: bounded(text) }] };
    } catch (error) {
      if (error instanceof ToolRefusal) {
        return failed(error.message);
      }
      this.#options.log.warn(`The tool ${tool.name} failed: ${getStack(error)}`);
      return failed('The editor could not do this.');
    }
  }
}

/** Takes one message in, and one answer out. */
class OneAnswer implements Transport {
  readonly #answer = deferred<JSONRPCMessage>();
  readonly answer = this.#answer.promise;
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (isObject(message) && 'id' in message && !('method' in message)) {
      this.#answer.resolve(message);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

function listed({ name, description, properties, required = [], acts }: EditorTool) {
  const isReading = acts === undefined;
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties },
      required: [...required],
    },
    annotations: { readOnlyHint: isReading, destructiveHint: !isReading, openWorldHint: false },
    // Claude shows the model other tools only when it looks for them.
    ...(isReading ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
