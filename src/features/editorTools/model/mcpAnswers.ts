// oxlint-disable typescript/no-deprecated -- `McpServer` in place of `Server` brings 100 KB of schemas that go unused.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../model/ports';
import { deferred } from '../../../util/async';
import { getStack } from '../../../util/getStack';
import { isObject } from '../../../util/json';
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

  #createServer(offer: Offer, gone: AbortSignal): Server {
    const { tools: all, mayAct, version } = this.#options;
    const tools = all.filter(
      ({ name, acts }) =>
        !offer.without.includes(name) && (acts === undefined || mayAct?.() === true),
    );
    const server = new Server(
      { name: 'vscode_editor', title: 'VS Code', version },
      { capabilities: { tools: {} }, instructions },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => {
      offer.noteListed(tools.map(({ name }) => name));
      return { tools: tools.map(listed) };
    });
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
      const tool = tools.find(({ name }) => name === params.name);
      return tool === undefined
        ? failed(`There is no tool "${params.name.slice(0, 100)}".`)
        : this.#call(tool, params.arguments ?? {}, { offer, gone, requestId });
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
