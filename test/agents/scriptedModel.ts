import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonObject } from '../../src/util/json';

/** A part of a conversation, as far as the script needs it. */
interface Part {
  /** `search`: a call of Claude's tool that finds tools. */
  readonly kind: 'user' | 'result' | 'search' | 'other';
  readonly text: string;
}

interface Tool {
  readonly name: string;
  readonly namespace?: string;
}

type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: Tool; readonly args: JsonObject };

/** Claude shows a model some tools only when it asks for them by this one. */
const searchTool = 'ToolSearch';

/** Answers of which a model says nothing more. */
const maxSaid = 4_000;

/**
 * A model that does what the prompt says, behind the interfaces of Anthropic and OpenAI (responses and chat):
 * `CALL references {"symbol":"total"} END` calls a tool and repeats its result, and `ECHO` repeats the prompt.
 */
export async function startScriptedModel(): Promise<{
  readonly port: number;
  readonly close: () => void;
}> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const step = nextStep(conversationOf(body), toolsOf(body['tools']));
  const write = writers.find(([end]) => pathname.endsWith(end))?.[1];
  if (write === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], models: [], input_tokens: 1 }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  write(response, step, String(body['model']));
  response.end();
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}

function nextStep(parts: readonly Part[], tools: readonly Tool[]): Step {
  const at = parts.findLastIndex(
    ({ kind, text }) => kind === 'user' && /\bCALL \w+ |\bECHO\b/.test(text),
  );
  const asked = parts[at]?.text ?? '';
  const since = parts.slice(at + 1);
  const [, name, args] = /\bCALL (\w+) (\{.*?\}) END/s.exec(asked) ?? [];
  if (name === undefined || args === undefined) {
    return { kind: 'say', text: `HEARD ${asked}`.slice(0, maxSaid) };
  }
  const hasSearched = since.some(({ kind }) => kind === 'search');
  const results = since.filter(({ kind }) => kind === 'result').slice(hasSearched ? 1 : 0);
  const result = results.at(-1);
  if (result !== undefined) {
    return { kind: 'say', text: `RESULT ${result.text}`.slice(0, maxSaid) };
  }
  const tool = tools.find((known) => new RegExp(`(^|[^a-z])${name}$`).test(known.name));
  const search = hasSearched ? undefined : tools.find((known) => known.name === searchTool);
  if (tool === undefined && search !== undefined) {
    const query = { query: `select:mcp__vscode_editor__${name}` };
    return { kind: 'call', tool: search, args: query };
  }
  return tool === undefined
    ? { kind: 'say', text: `NO TOOL ${name}` }
    : { kind: 'call', tool, args: JSON.parse(args) as JsonObject };
}

/** The messages of any of the interfaces. */
function conversationOf(body: JsonObject): readonly Part[] {
  const list = body['messages'] ?? body['input'];
  return (Array.isArray(list) ? list : []).flatMap((message: unknown): Part[] => {
    if (!isObject(message)) {
      return [];
    }
    const { type, role, content, output } = message;
    if (type === 'function_call_output') {
      return [{ kind: 'result', text: textOf(output) }];
    }
    if (role === 'tool') {
      return [{ kind: 'result', text: textOf(content) }];
    }
    const blocks = (Array.isArray(content) ? content : []).filter(isObject);
    if (blocks.some((block) => block['type'] === 'tool_use' && block['name'] === searchTool)) {
      return [{ kind: 'search', text: '' }];
    }
    const results = blocks.filter((block) => block['type'] === 'tool_result');
    return results.length > 0
      ? results.map((block) => ({ kind: 'result', text: textOf(block['content']) }))
      : [{ kind: role === 'user' ? 'user' : 'other', text: textOf(content) }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .map((block: unknown) =>
      isObject(block) && typeof block['text'] === 'string' ? block.text : '',
    )
    .join('\n');
}

/** The tools of a request, also those in a group. */
function toolsOf(list: unknown, namespace?: string): readonly Tool[] {
  return (Array.isArray(list) ? list : []).flatMap((tool: unknown): readonly Tool[] => {
    if (!isObject(tool)) {
      return [];
    }
    const { name: own, function: made, tools } = tool;
    const name = own ?? (isObject(made) ? made['name'] : undefined);
    if (typeof name !== 'string') {
      return [];
    }
    return Array.isArray(tools)
      ? toolsOf(tools, name)
      : [{ name, ...(namespace && { namespace }) }];
  });
}

type Write = (response: ServerResponse, step: Step, model: string) => void;

const event = (response: ServerResponse, type: string, data: object): void => {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
};

const anthropic: Write = (response, step, model) => {
  const message = {
    ...{ id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } },
  };
  const [block, delta] =
    step.kind === 'say'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: step.text },
        ]
      : [
          { type: 'tool_use', id: `toolu_${Date.now()}`, name: step.tool.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(step.args) },
        ];
  event(response, 'message_start', { message });
  event(response, 'content_block_start', { index: 0, content_block: block });
  event(response, 'content_block_delta', { index: 0, delta });
  event(response, 'content_block_stop', { index: 0 });
  const reason = step.kind === 'say' ? 'end_turn' : 'tool_use';
  event(response, 'message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  event(response, 'message_stop', {});
};

const responses: Write = (response, step) => {
  const id = `resp_${Date.now()}`;
  const item =
    step.kind === 'say'
      ? {
          ...{ type: 'message', role: 'assistant', id: 'm1' },
          content: [{ type: 'output_text', text: step.text }],
        }
      : {
          ...{ type: 'function_call', id: 'fc1', call_id: `call_${Date.now()}` },
          ...{ ...step.tool, arguments: JSON.stringify(step.args) },
        };
  const usage = {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  event(response, 'response.created', { response: { id } });
  event(response, 'response.output_item.done', { output_index: 0, item });
  event(response, 'response.completed', { response: { id, output: [item], usage } });
};

const chat: Write = (response, step, model) => {
  const chunk = (delta: object, reason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const data = { id: 'c1', object: 'chat.completion.chunk', created: 1, model, choices };
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  if (step.kind === 'say') {
    chunk({ role: 'assistant', content: step.text });
    chunk({}, 'stop');
  } else {
    const made = { name: step.tool.name, arguments: JSON.stringify(step.args) };
    const call = { index: 0, id: `call_${Date.now()}`, type: 'function', function: made };
    chunk({ role: 'assistant', tool_calls: [call] });
    chunk({}, 'tool_calls');
  }
  response.write('data: [DONE]\n\n');
};

const writers: readonly (readonly [string, Write])[] = [
  ['/messages', anthropic],
  ['/responses', responses],
  ['/chat/completions', chat],
];
