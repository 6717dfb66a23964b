import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import type { SessionInfo, SessionPage } from '../agentConnection';
import { boundedMeta, isPathLength, isSessionId } from '../bounds';
import { AcpError } from '../errors';
import { readListedFacts } from './listedFacts';
import { titleIn } from './normaliseContent';

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
    ...readListedFacts(value),
    ...(meta && { _meta: boundedMeta(meta) }),
  };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isPathLength(value);
}
