import { asArray, asString, isObject, type JsonObject, picked } from '../../util/json';
import { isPathLength } from '../bounds';
import type { MayUse } from './clientMessages';
import { sessionIdIn } from './sessionIds';

/** More rows of one page are left out; no client reads them. */
const mostRows = 10_000;

const internalError = -32603;

/**
 * What a client gets of an answer to `session/list`: its cursor, and the rows that it may use, each marked if it is open
 * elsewhere.
 */
export async function rowsFor(
  result: JsonObject,
  mayUse: MayUse,
  isOpenElsewhere: (sessionId: string) => boolean,
): Promise<JsonObject> {
  const known = new Map<string, boolean>();
  const shared: JsonObject[] = [];
  for (const row of asArray(result['sessions']).slice(0, mostRows)) {
    const cwd = isObject(row) && sessionIdIn(row) !== undefined ? row['cwd'] : undefined;
    if (!isObject(row) || typeof cwd !== 'string' || !isPathLength(cwd)) {
      continue;
    }
    const isShared = known.get(cwd) ?? (await mayUse(cwd));
    known.set(cwd, isShared);
    if (isShared) {
      shared.push(row);
    }
  }
  // Not before: what is different by now has been told already.
  const sessions = shared.map((row) =>
    isOpenElsewhere(sessionIdIn(row) ?? '') ? marked(row) : row,
  );
  const nextCursor = asString(result['nextCursor']);
  return { sessions, ...(nextCursor !== undefined && { nextCursor }) };
}

/** The error of an answer to `session/list` that has no rows: only what says why, which is nothing about sessions. */
export function listErrorOf(answer: JsonObject): JsonObject {
  const { error } = answer;
  return isObject(error)
    ? picked(error, ['code', 'message'])
    : { code: internalError, message: 'The agent’s list can’t be read' };
}

/** Beside whatever else the agent says there. */
function marked(row: JsonObject): JsonObject {
  const meta = isObject(row['_meta']) ? row['_meta'] : {};
  const own = isObject(meta['acpSessions']) ? meta['acpSessions'] : {};
  return { ...row, _meta: { ...meta, acpSessions: { ...own, openElsewhere: true } } };
}
