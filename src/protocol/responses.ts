import { asArray, asString, isObject, type JsonObject } from '../util/json';
import type {
  AgentCapabilities,
  AgentInfo,
  AuthMethod,
  SessionInfo,
  SessionPage,
} from './agentConnection';
import { readAuthMethods } from './authMethods';
import { AcpError } from './errors';

/** The version of the protocol that we speak (INIT-2). */
export const protocolVersion = 1;

export interface InitializeResult {
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
}

/**
 * Checks the answer to `initialize`; throws `version` when it isn't ours (INIT-7), or `malformed`.
 * `authTerminal`: we have said that we can log in in a terminal (AUTH-9).
 */
export function readInitializeResult(result: unknown, authTerminal: boolean): InitializeResult {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to initialize is not an object');
  }
  const version = result['protocolVersion'];
  if (version !== protocolVersion) {
    const subject = version === undefined ? 'none' : JSON.stringify(version).slice(0, 40);
    throw new AcpError(
      'version',
      `The agent speaks protocol version ${subject}, not ${protocolVersion}`,
      { subject },
    );
  }
  return {
    info: readAgentInfo(result['agentInfo']),
    capabilities: readCapabilities(result['agentCapabilities']),
    authMethods: readAuthMethods(result['authMethods'], authTerminal),
  };
}

function readAgentInfo(value: unknown): AgentInfo {
  if (!isObject(value)) {
    return {};
  }
  const title = asString(value['title']) || asString(value['name']);
  const version = asString(value['version']);
  return { ...(title && { title }), ...(version && { version }) };
}

/** INIT-8 to INIT-10, INIT-16: what isn't said is not there; what we don't know is passed over. */
function readCapabilities(value: unknown): AgentCapabilities {
  const agent = objectOrEmpty(value);
  const session = objectOrEmpty(agent['sessionCapabilities']);
  const prompt = objectOrEmpty(agent['promptCapabilities']);
  const mcp = objectOrEmpty(agent['mcpCapabilities']);
  return {
    load: agent['loadSession'] === true,
    list: isOffered(session['list']),
    resume: isOffered(session['resume']),
    close: isOffered(session['close']),
    delete: isOffered(session['delete']),
    fork: isOffered(session['fork']),
    archive: isOffered(session['archive']),
    title: isOffered(session['title']),
    additionalDirectories: isOffered(session['additionalDirectories']),
    logout: isOffered(objectOrEmpty(agent['auth'])['logout']),
    promptImage: prompt['image'] === true,
    promptAudio: prompt['audio'] === true,
    promptEmbeddedContext: prompt['embeddedContext'] === true,
    mcpHttp: mcp['http'] === true,
    mcpSse: mcp['sse'] === true,
  };
}

function objectOrEmpty(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** T-37: an object by the protocol, `true` in practice. */
function isOffered(capability: unknown): boolean {
  return capability === true || isObject(capability);
}

/**
 * Checks a page of `session/list` (LIST-9, LIST-12, LIST-19): rows without an id are passed over and
 * counted, a broken list is an empty one, a cursor that is no string is none. A row that doesn't say
 * its folder is in the one that was asked for.
 */
export function readSessionPage(
  result: unknown,
  queriedCwd: string | undefined,
): { readonly page: SessionPage; readonly skipped: number } {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to session/list is not an object');
  }
  const rows = asArray(result['sessions']);
  const sessions = rows
    .map((row) => readSessionInfo(row, queriedCwd))
    .filter((row) => row !== undefined);
  const nextCursor = asString(result['nextCursor']);
  return {
    page: { sessions, ...(nextCursor !== undefined && { nextCursor }) },
    skipped: rows.length - sessions.length,
  };
}

function readSessionInfo(value: unknown, queriedCwd: string | undefined): SessionInfo | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const sessionId = asString(value['sessionId']);
  const cwd = asString(value['cwd']) || queriedCwd;
  if (!sessionId || !cwd) {
    return undefined;
  }
  const title = asString(value['title']);
  const updatedAt = asString(value['updatedAt']);
  const meta: JsonObject | undefined = isObject(value['_meta']) ? value['_meta'] : undefined;
  return {
    sessionId,
    cwd,
    additionalDirectories: asArray(value['additionalDirectories']).filter(isNonEmptyString),
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(meta && { _meta: meta }),
  };
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
