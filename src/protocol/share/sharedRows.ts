import { asArray, isObject, type JsonObject } from '../../util/json';
import { isPathLength } from '../bounds';
import type { MayUse } from './clientMessages';
import { sessionIdIn } from './sessionIds';

/** More rows of one page are left out; no client reads them. */
const mostRows = 10_000;

/** An answer to `session/list` with the rows that a client may use, each marked if it is open elsewhere. */
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
  return { ...result, sessions };
}

/** Beside whatever else the agent says there. */
function marked(row: JsonObject): JsonObject {
  const meta = isObject(row['_meta']) ? row['_meta'] : {};
  const own = isObject(meta['acpSessions']) ? meta['acpSessions'] : {};
  return { ...row, _meta: { ...meta, acpSessions: { ...own, openElsewhere: true } } };
}
