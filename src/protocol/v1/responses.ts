import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import type {
  AgentCapabilities,
  AgentInfo,
  AuthMethod,
  SessionInfo,
  SessionPage,
} from '../agentConnection';
import { boundedMeta, isPathLength, isSessionId } from '../bounds';
import { AcpError } from '../errors';
import { readAuthMethods } from './authMethods';
import { titleIn } from './normaliseContent';

/** The version of the protocol that this client speaks (INIT-2). */
export const protocolVersion = 1;

export interface InitializeResult {
  readonly info: AgentInfo;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
}

/**
 * Checks the answer to `initialize`; throws `version` if its version differs from this client's (INIT-7), or
 * `malformed`. `authTerminal`: this client has advertised that it can log in in a terminal (AUTH-9).
 */
export function readInitializeResult(result: unknown, authTerminal: boolean): InitializeResult {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to initialize is not an object');
  }
  const version = result['protocolVersion'];
  if (version !== protocolVersion) {
    const subject = version === undefined ? 'none' : versionText(version);
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

/** A text for any value; objects aren't written out, because they may be nested without end. */
function versionText(version: unknown): string {
  return typeof version === 'object' ? 'of no kind' : JSON.stringify(version).slice(0, 40);
}

function readAgentInfo(value: unknown): AgentInfo {
  if (!isObject(value)) {
    return {};
  }
  const title = titleIn(value, 'title') || titleIn(value, 'name');
  const version = titleIn(value, 'version');
  return { ...(title && { title }), ...(version && { version }) };
}

/** An absent capability is off, and an unknown one is ignored (INIT-8 to INIT-10, INIT-16). */
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

/** An object according to the protocol, `true` in practice (T-37). */
function isOffered(capability: unknown): boolean {
  return capability === true || isObject(capability);
}

/** Rows of one page: as many as the tree can show while a window stays quick. */
const maxRows = 10_000;
/** UTF-16 units of a cursor, which is kept while a list is read, and sent back. */
const maxCursor = 16_384;
/** Additional directories of one session. */
const maxRoots = 100;

/**
 * Checks a page of `session/list` (LIST-9, LIST-12, LIST-19): rows without an id are skipped and counted, a broken list
 * counts as empty, and a cursor that isn't a string as absent. A row without a folder is in the one that was asked for.
 * Rows after the first `maxRows` are left out and counted, too.
 */
export function readSessionPage(
  result: unknown,
  queriedCwd: string | undefined,
): { readonly page: SessionPage; readonly skipped: number } {
  if (!isObject(result)) {
    throw new AcpError('malformed', 'The answer to session/list is not an object');
  }
  const all = asArray(result['sessions']);
  const rows = all.slice(0, maxRows);
  const sessions = rows
    .map((row) => readSessionInfo(row, queriedCwd))
    .filter((row) => row !== undefined);
  const nextCursor = asString(result['nextCursor']);
  if (nextCursor !== undefined && nextCursor.length > maxCursor) {
    throw new AcpError('malformed', 'The answer to session/list has a cursor that is too long');
  }
  const leftOut = all.length - rows.length;
  return {
    page: {
      sessions,
      ...(nextCursor !== undefined && { nextCursor }),
      ...(leftOut > 0 && { leftOut }),
    },
    skipped: rows.length - sessions.length,
  };
}

function readSessionInfo(value: unknown, queriedCwd: string | undefined): SessionInfo | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const sessionId = asString(value['sessionId']);
  const cwd = asString(value['cwd']) || queriedCwd;
  if (!sessionId || !isSessionId(sessionId) || !cwd || !isPathLength(cwd)) {
    return undefined;
  }
  const title = titleIn(value, 'title');
  const updatedAt = titleIn(value, 'updatedAt');
  const meta: JsonObject | undefined = isObject(value['_meta']) ? value['_meta'] : undefined;
  return {
    sessionId,
    cwd,
    additionalDirectories: asArray(value['additionalDirectories'])
      .slice(0, maxRoots)
      .filter(isPath),
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(value['archived'] === true && { archived: true }),
    ...(meta && { _meta: boundedMeta(meta) }),
  };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isPathLength(value);
}
