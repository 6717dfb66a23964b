import { asArray, asString, isObject, type JsonObject, picked } from '../../util/json';
import { isPathLength } from '../bounds';
import type { MayUse } from './clientMessages';
import { sessionIdIn } from './sessionIds';

/** Maximum number of rows of a page; more are left out, and no client reads them. */
const maxRows = 10_000;
/** Folders of one session, as of one that a client begins. */
const maxFolders = 101;

const internalError = -32603;

/** The rows of an answer to `session/list`. */
export interface ListedRows {
  /** The rows whose folders are all shared. */
  readonly shared: readonly JsonObject[];
  /** The ids of the others. */
  readonly elsewhere: readonly string[];
}

/** A row without an id is neither. */
export async function rowsIn(result: JsonObject, mayUse: MayUse): Promise<ListedRows> {
  const known = new Map<string, boolean>();
  const isShared = async (folder: string): Promise<boolean> => {
    const isIn = known.get(folder) ?? (await mayUse(folder));
    known.set(folder, isIn);
    return isIn;
  };
  const shared: JsonObject[] = [];
  const elsewhere: string[] = [];
  for (const row of asArray(result['sessions']).slice(0, maxRows)) {
    const sessionId = sessionIdIn(row);
    if (isObject(row) && sessionId !== undefined) {
      if (await areAll(getFolders(row), isShared)) {
        shared.push(row);
      } else {
        elsewhere.push(sessionId);
      }
    }
  }
  return { shared, elsewhere };
}

/** All folders that the row's session reaches; none if any of them can't be read. */
function getFolders({ cwd, additionalDirectories }: JsonObject): readonly string[] {
  const others = additionalDirectories ?? [];
  const all: readonly unknown[] = Array.isArray(others) ? [cwd, ...(others as unknown[])] : [];
  const isReadable = (folder: unknown): folder is string =>
    typeof folder === 'string' && isPathLength(folder);
  return all.length <= maxFolders && all.every(isReadable) ? all : [];
}

async function areAll(
  folders: readonly string[],
  isShared: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  for (const folder of folders) {
    if (!(await isShared(folder))) {
      return false;
    }
  }
  return folders.length > 0;
}

/** What a client gets of an answer to `session/list`: the cursor and these rows, each marked if it is open elsewhere. */
export function listFor(
  result: JsonObject,
  rows: readonly JsonObject[],
  isOpenElsewhere: (sessionId: string) => boolean,
): JsonObject {
  const nextCursor = asString(result['nextCursor']);
  return {
    sessions: rows.map((row) => (isOpenElsewhere(sessionIdIn(row) ?? '') ? marked(row) : row)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** The error of an answer to `session/list` that has no rows: only what says why, which is nothing about sessions. */
export function getListError(answer: JsonObject): JsonObject {
  const { error } = answer;
  return isObject(error)
    ? picked(error, ['code', 'message'])
    : { code: internalError, message: 'The agent’s list can’t be read' };
}

/** Marks a row beside whatever else the agent says in its `_meta`. */
function marked(row: JsonObject): JsonObject {
  const meta = isObject(row['_meta']) ? row['_meta'] : {};
  const own = isObject(meta['acpSessions']) ? meta['acpSessions'] : {};
  return { ...row, _meta: { ...meta, acpSessions: { ...own, openElsewhere: true } } };
}
