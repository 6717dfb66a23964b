import { isObject, type JsonObject, parseJson } from '../../util/json';
import { isPathLength } from '../bounds';

/** A message of a client as it is passed on to the agent, or why it isn't. */
export type CheckedMessage =
  | { readonly message: JsonObject }
  | { readonly refused: string; readonly code: number; readonly id: unknown };

/** Whether sessions of the clients may be in this folder. Never rejects. */
export type MayUse = (folder: string) => Promise<boolean>;

const notJson = -32700;
const notMessage = -32600;
const badParams = -32602;
/** Additional directories and MCP servers of one session. */
const mostOfEach = 100;

/**
 * Reads a client's message and decides whether the agent gets it. Whatever has folders or MCP servers is held to those
 * of this machine that are shared, whichever method it is. The agent gets what was checked and not the client's text,
 * in which the same member could stand twice.
 */
export async function checkClientMessage(text: string, mayUse: MayUse): Promise<CheckedMessage> {
  const message = parseJson(text);
  if (message === undefined) {
    return { refused: 'This is not JSON', code: notJson, id: null };
  }
  if (!isMessage(message)) {
    return { refused: 'This is not a message of JSON-RPC 2.0', code: notMessage, id: null };
  }
  const { id = null, method, params } = message;
  if (method === 'initialize') {
    return { message: { ...message, params: withoutMachine(params) } };
  }
  if (!isObject(params)) {
    return { message };
  }
  const refused = await refusalOf(params, mayUse);
  return refused === undefined
    ? { message: { ...message, params: withKnownMeta(params) } }
    : { refused, code: badParams, id };
}

/**
 * The params with nothing in `_meta` but where a fork ends (T-42) and what steering does without a turn (T-39). Agents
 * take options from there that reach as far as the members that are checked: folders, programs, variables.
 */
function withKnownMeta({ _meta, ...params }: JsonObject): JsonObject {
  const fork = memberOf(memberOf(memberOf(_meta, 'jetbrains'), 'air'), 'fork');
  const { version, messageId } = isObject(fork) ? fork : {};
  const idleBehavior = memberOf(memberOf(_meta, 'steering'), 'idleBehavior');
  const known = {
    ...(typeof version === 'number' &&
      typeof messageId === 'string' && { jetbrains: { air: { fork: { version, messageId } } } }),
    ...(typeof idleBehavior === 'string' && { steering: { idleBehavior } }),
  };
  return Object.keys(known).length > 0 ? { ...params, _meta: known } : params;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') {
    return false;
  }
  const { id, method } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  return typeof method === 'string'
    ? hasId || id === undefined || id === null
    : method === undefined && hasId;
}

/** The newest version of the protocol whose messages are checked here. */
const newestVersion = 2;
/** The capabilities of a client in version 1, and in version 2: a message may have both. */
const capabilityMembers = ['clientCapabilities', 'capabilities'];
const ofMachine: ReadonlySet<string> = new Set(['fs', 'terminal', 'auth']);

/**
 * The files and terminals are those of this machine, so the agent uses its own, and it can't be logged in elsewhere. A
 * version that isn't known here might name folders or programs in other members, so an older one is asked for.
 */
function withoutMachine(params: unknown): unknown {
  if (!isObject(params)) {
    return params;
  }
  const { protocolVersion } = params;
  return {
    ...Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        capabilityMembers.includes(key) && isObject(value) ? withoutOwn(value) : value,
      ]),
    ),
    ...('protocolVersion' in params && {
      protocolVersion:
        typeof protocolVersion === 'number' && protocolVersion <= newestVersion
          ? protocolVersion
          : newestVersion,
    }),
  };
}

function withoutOwn(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => !ofMachine.has(name)));
}

async function refusalOf(params: JsonObject, mayUse: MayUse): Promise<string | undefined> {
  // Some clients write `null` for what is absent.
  const cwd = params['cwd'] ?? undefined;
  const others = params['additionalDirectories'] ?? [];
  const servers = params['mcpServers'] ?? [];
  if (!Array.isArray(others) || !Array.isArray(servers)) {
    return 'Directories and MCP servers must be lists';
  }
  if (others.length > mostOfEach || servers.length > mostOfEach) {
    return `There can be at most ${mostOfEach} directories and MCP servers`;
  }
  if (!servers.every(isElsewhere)) {
    return 'MCP servers that are programs would run on the machine that shares this agent: only http and sse are accepted';
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
  return undefined;
}

/** Of either version: one without a type is a program in version 1, "stdio" is one in version 2. */
function isElsewhere(server: unknown): boolean {
  return (
    isObject(server) &&
    (server['type'] === 'http' || server['type'] === 'sse') &&
    server['command'] === undefined
  );
}
