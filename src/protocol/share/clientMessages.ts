import { isObject, type JsonObject, parseJson, picked } from '../../util/json';
import { isPathLength } from '../bounds';
import { isRequestId } from '../requestId';
import { findMembers } from './clientMethods';

/** Why a message isn't passed on, in at most 123 bytes; without an id, it is no request. */
export interface Refusal {
  readonly refused: string;
  readonly code: number;
  readonly id: unknown;
}

/** A message of a client as it is passed on to the agent, or why it isn't. */
type CheckedMessage = { readonly message: JsonObject } | Refusal;

/** Whether sessions of the clients may be in this folder. Never rejects. */
export type MayUse = (folder: string) => Promise<boolean>;

const notJson = -32700;
const notMessage = -32600;
const notMethod = -32601;
const badParams = -32602;
/** Additional directories and MCP servers of one session. */
const maxOfEachKind = 100;
const maxFirstValues = 200;

const unknownMethod =
  'A shared agent isn’t asked for this: signing in and out, and what isn’t known, is up to the window that shares it';

/**
 * Reads a client's message and decides whether the agent gets it. Only methods and members that are known are passed
 * on; folders and MCP servers among them are held to those of this machine that are shared. The agent gets what was
 * checked and not the client's text, in which the same member could stand twice, or once more in another case.
 */
export async function checkClientMessage(text: string, mayUse: MayUse): Promise<CheckedMessage> {
  const value = parseJson(text);
  if (value === undefined) {
    return { refused: 'This is not JSON', code: notJson, id: null };
  }
  if (!isMessage(value)) {
    return { refused: 'This is not a message of JSON-RPC 2.0', code: notMessage, id: null };
  }
  const { id, method } = value;
  let plain: JsonObject;
  try {
    plain = withoutMeta(value);
  } catch {
    return { refused: 'The message is nested too deeply', code: notMessage, id };
  }
  if (method === undefined) {
    return { message: picked(plain, ['jsonrpc', 'id', 'result', 'error']) };
  }
  const members = findMembers(method);
  if (members === undefined) {
    return { refused: unknownMethod, code: notMethod, id };
  }
  const params = plain['params'] ?? {};
  if (!isObject(params)) {
    return { refused: 'Parameters must have names', code: badParams, id };
  }
  const given = isObject(value['params']) ? value['params'] : {};
  const checked = await checkParams(picked(params, members), given, mayUse);
  return typeof checked === 'string'
    ? { refused: checked, code: badParams, id }
    : { message: { ...picked(plain, ['jsonrpc', 'id', 'method']), params: checked } };
}

function isMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') {
    return false;
  }
  const { id, method } = value;
  const hasId = isRequestId(id) && (typeof id !== 'number' || Number.isSafeInteger(id));
  return typeof method === 'string'
    ? hasId || id === undefined
    : method === undefined && hasId && ('result' in value || 'error' in value);
}

/** The params as the agent gets them, or why it doesn't; `given` are those with all that the client has sent. */
async function checkParams(
  params: JsonObject,
  given: JsonObject,
  mayUse: MayUse,
): Promise<JsonObject | string> {
  // Some clients write `null` for what is absent.
  const cwd = params['cwd'] ?? undefined;
  const others = params['additionalDirectories'] ?? [];
  const servers = params['mcpServers'] ?? [];
  if (!Array.isArray(others) || !Array.isArray(servers)) {
    return 'Directories and MCP servers must be lists';
  }
  if (others.length > maxOfEachKind || servers.length > maxOfEachKind) {
    return `There can be at most ${maxOfEachKind} directories and MCP servers`;
  }
  if (!servers.every(isElsewhere)) {
    return 'MCP servers that are programs would run on the machine that shares this agent: only http, sse and acp are accepted';
  }
  const systemPrompt = readSystemPrompt(params['systemPrompt'] ?? undefined);
  if (systemPrompt === 'malformed') {
    return 'A system prompt needs a mode and texts';
  }
  const firstValues = readFirstValues(params['configOptions'] ?? undefined);
  if (firstValues === 'malformed') {
    return 'The first value of an option needs an id and a value';
  }
  const folders: readonly unknown[] = [
    ...(cwd === undefined ? [] : [cwd]),
    ...(others as unknown[]),
  ];
  for (const folder of folders) {
    if (typeof folder !== 'string' || !isPathLength(folder) || !(await mayUse(folder))) {
      return 'Only folders that are open in the window that shares this agent can be used, with what is below them';
    }
  }
  return {
    ...withoutMachine(params, given),
    ...(systemPrompt && { systemPrompt }),
    ...(firstValues && { configOptions: firstValues }),
    ...(Array.isArray(params['mcpServers']) && { mcpServers: servers.map(remoteServer) }),
    ...knownMeta(given),
  };
}

/** A text for the agent's system prompt, with nothing else in it. */
function readSystemPrompt(value: unknown): JsonObject | 'malformed' | undefined {
  if (value === undefined) {
    return undefined;
  }
  const { mode, content } = isObject(value) ? value : {};
  if ((mode !== 'append' && mode !== 'override') || !Array.isArray(content)) {
    return 'malformed';
  }
  const texts = content.map((block: unknown) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? { type: 'text', text: block['text'] }
      : undefined,
  );
  return texts.includes(undefined) ? 'malformed' : { mode, content: texts };
}

/** The first values of a new session's options, with nothing else in them (T-140). */
function readFirstValues(value: unknown): readonly JsonObject[] | 'malformed' | undefined {
  if (value === undefined) {
    return undefined;
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const isFirstValue = (one: unknown): one is JsonObject =>
    isObject(one) &&
    typeof one['configId'] === 'string' &&
    ['string', 'undefined'].includes(typeof one['type']) &&
    ['string', 'boolean'].includes(typeof one['value']);
  return values.length <= maxFirstValues && values.every(isFirstValue)
    ? values.map((one) => picked(one, ['configId', 'type', 'value']))
    : 'malformed';
}

/**
 * Whether a server of either version is elsewhere: one without a type is a program in version 1, "stdio" is one in
 * version 2.
 */
function isElsewhere(server: unknown): server is JsonObject {
  return (
    isObject(server) &&
    (server['type'] === 'http' || server['type'] === 'sse' || server['type'] === 'acp') &&
    server['command'] === undefined
  );
}

function remoteServer(server: JsonObject): JsonObject {
  return picked(server, ['type', 'name', 'url', 'headers', 'serverId']);
}

/** The newest version of the protocol whose messages are checked here. */
const newestVersion = 2;
/** The members that have the capabilities of a client in version 1 and in version 2: a message may have both. */
const capabilityMembers = ['clientCapabilities', 'capabilities'];
/** How a client is called in version 1, and in version 2. */
const infoMembers = ['clientInfo', 'info'];
/** The capabilities that aren't about the client's machine, which the agent isn't on. */
const knownCapabilities = ['session', 'subagents', 'plan', 'elicitation'];

/**
 * The files and terminals are those of this machine, so the agent uses its own, and it can't be logged in elsewhere. A
 * version that isn't known here might name folders or programs in other members, so an older one is asked for.
 */
function withoutMachine(params: JsonObject, given: JsonObject): JsonObject {
  const { protocolVersion } = params;
  return {
    ...params,
    ...Object.fromEntries(
      capabilityMembers
        .filter((name) => name in params)
        .map((name) => {
          const all = given[name];
          const own = isObject(params[name]) ? picked(params[name], knownCapabilities) : {};
          return [name, { ...own, ...(isObject(all) && knownCapabilityMeta(all)) }];
        }),
    ),
    ...Object.fromEntries(
      infoMembers
        .filter((name) => name in params)
        .map((name) => [name, readClientInfo(params[name])]),
    ),
    ...('protocolVersion' in params && {
      protocolVersion:
        typeof protocolVersion === 'number' && protocolVersion <= newestVersion
          ? protocolVersion
          : newestVersion,
    }),
  };
}

/** The texts that a client is called by; some clients write `null` for none. */
function readClientInfo(info: unknown): JsonObject | undefined {
  return isObject(info)
    ? Object.fromEntries(
        ['name', 'title', 'version'].flatMap((name) =>
          typeof info[name] === 'string' ? [[name, info[name]]] : [],
        ),
      )
    : undefined;
}

/** Levels of nesting of a client's message. */
const deepest = 100;

/** A value without `_meta` in any case and at any depth. Throws if it is nested too deeply. */
function withoutMeta<T>(value: T, levels?: number): T;
function withoutMeta(value: unknown, levels = deepest): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (levels === 0) {
    throw new RangeError('Nested too deeply');
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => withoutMeta(item, levels - 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name.toLowerCase() !== '_meta')
      .map(([name, member]) => [name, withoutMeta<unknown>(member, levels - 1)]),
  );
}

/**
 * Of the `_meta` of a client's params: where a fork ends (T-42) and what steering does without a turn (T-39). Agents
 * take options from there that reach as far as the members that are checked: folders, programs, variables.
 */
function knownMeta({ _meta }: JsonObject): JsonObject {
  const fork = getMember(getMember(getMember(_meta, 'jetbrains'), 'air'), 'fork');
  const { version, messageId } = isObject(fork) ? fork : {};
  const idleBehavior = getMember(getMember(_meta, 'steering'), 'idleBehavior');
  return getMeta({
    ...(typeof version === 'number' &&
      typeof messageId === 'string' && { jetbrains: { air: { fork: { version, messageId } } } }),
    ...(typeof idleBehavior === 'string' && { steering: { idleBehavior } }),
  });
}

/** The known `_meta` of a client's capabilities: that it shows the output of commands that the agent runs itself. */
function knownCapabilityMeta({ _meta }: JsonObject): JsonObject {
  return getMeta(getMember(_meta, 'terminal_output') === true ? { terminal_output: true } : {});
}

function getMeta(known: JsonObject): JsonObject {
  return Object.keys(known).length > 0 ? { _meta: known } : {};
}

function getMember(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
