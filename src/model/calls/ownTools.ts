import type { McpServerOfCall } from '../../protocol/agentRequests';
import type { ToolCallPatch } from '../../protocol/updates';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { editorTools, readingTools } from './editorCalls';

/** A server of ours, as a session has it. */
export interface OwnServer {
  readonly name: string;
  /** The names of the other servers that the session was opened with. */
  readonly others: readonly string[];
}

/** What an agent asks about. */
export interface CallInQuestion {
  /** What the question itself says of the call. */
  readonly request: ToolCallPatch;
  /** The call with all that was said of it. */
  readonly call: ToolCallEntry;
  /** The call before the question. */
  readonly before?: ToolCallEntry;
  /** The server whose tool it is, if the agent says so. */
  readonly mcpServer?: McpServerOfCall;
}

interface Form {
  /** How the agent writes the name of a tool: in the title, or as the name. */
  written(server: string, tool: string): string;
  readonly kind: ToolCallEntry['toolKind'];
  /** What else the question says. */
  says?(asked: CallInQuestion, server: string, written: string): boolean;
  /** The arguments among a call's input. */
  argumentsIn(input: unknown, server: string, tool: string): unknown;
}

/** The ways in which agents write calls: those of Claude, Codex and OpenCode. */
const forms: readonly Form[] = [
  {
    written: (server, tool) => `mcp__${server}__${tool}`,
    kind: 'other',
    says: ({ request, mcpServer }, server, written) =>
      request.title === written &&
      request.name === written &&
      mcpServer?.isGiven === true &&
      mcpServer.name === server,
    argumentsIn: (input) => input,
  },
  {
    written: (server, tool) => `mcp.${server}.${tool}`,
    kind: 'execute',
    argumentsIn: (input, server, tool) =>
      isObject(input) &&
      input['server'] === server &&
      input['tool'] === tool &&
      Object.keys(input).every((key) => ['server', 'tool', 'arguments'].includes(key))
        ? (input['arguments'] ?? {})
        : undefined,
  },
  {
    written: (server, tool) => `${server}_${tool}`,
    kind: 'other',
    argumentsIn: (input) => input,
  },
];

/**
 * Whether an agent asks, beyond doubt, about one of our tools: all that is said of the call, in the question and before
 * it, is what the agent says of that tool, and no tool of another server could have its name.
 */
export function asksAboutOwn(asked: CallInQuestion, server: OwnServer): boolean {
  const { request, call, before } = asked;
  const form = findForm(call, server, editorTools);
  const written = call.name;
  return (
    form !== undefined &&
    written !== undefined &&
    isUntouched(call) &&
    [request.title, request.name].every((text) => (text ?? written) === written) &&
    (form.says?.(asked, server.name, written) ?? true) &&
    (before === undefined
      ? request.title === written
      : before.name === written &&
        isUntouched(before) &&
        findForm(before, server, editorTools) === form)
  );
}

/** Whether a call is one of our tools that only read. */
export function isReading(call: ToolCallEntry, server: OwnServer): boolean {
  return findForm(call, server, readingTools) !== undefined;
}

/** The form in which a call of one of these tools of ours is written. */
function findForm(
  { name, toolKind, rawInput }: ToolCallEntry,
  { name: server, others }: OwnServer,
  tools: readonly string[],
): Form | undefined {
  // Agents write other characters of a server's name as `_`, and some put only that between it and the tool's name.
  const isAmbiguous = others.some((other) =>
    server.startsWith(other.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase()),
  );
  return isAmbiguous || name?.includes(server) !== true
    ? undefined
    : forms.find((form) =>
        tools.some(
          (tool) =>
            // The title of a call of ours is replaced, and kept as its name.
            name === form.written(server, tool) &&
            toolKind === form.kind &&
            areArguments(form.argumentsIn(rawInput, server, tool)),
        ),
      );
}

/** Whether nothing is shown of a call, and nothing has come of it, but what it asks a tool. */
function isUntouched({ status, content, locations, ...call }: ToolCallEntry): boolean {
  return (
    (status === 'pending' || status === 'in_progress') &&
    content.length === 0 &&
    locations.length === 0 &&
    call.terminalOutput === undefined &&
    call.rawOutput === undefined
  );
}

const argumentNames: ReadonlySet<string> = new Set([
  ...['path', 'line', 'column', 'endLine', 'symbol', 'query'],
  ...['of', 'severity', 'direction', 'offset'],
  ...['newName', 'title', 'question', 'options', 'multiple', 'task'],
]);

function areArguments(args: unknown): boolean {
  return (
    isObject(args) &&
    Object.entries(args).every(
      ([name, value]) =>
        argumentNames.has(name) &&
        (isPlain(value) || (name === 'options' && Array.isArray(value) && value.every(isPlain))),
    )
  );
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
