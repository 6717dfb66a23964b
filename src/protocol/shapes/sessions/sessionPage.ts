import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import type { ListedFacts, SessionInfo, SessionPage } from '../../agentConnection';
import { boundedMeta, isPathLength, isSessionId } from '../../bounds';
import { AcpError } from '../../errors';
import { titleIn } from '../normaliseContent';

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

const states: ReadonlySet<unknown> = new Set(['running', 'idle', 'requires_action']);
/** Longer than any branch that Git can make; a cut name would be another branch's. */
const maxBranchLength = 255;
/** A larger amount is an error of the agent, not what a session cost. */
const maxCost = 1e9;
/** Three letters in ISO 4217; some agents count in units of their own. */
const maxCurrencyLength = 12;

/**
 * What a row of `session/list` tells beyond the stable protocol (T-46): as members of the row, as the draft has them,
 * or in `_meta`, as Claude (`jetbrains.air`) and Codex (there, and in its `activity`) send them. Values of another type
 * or out of range count as absent.
 */
function readListedFacts(row: JsonObject): ListedFacts {
  const air = getMember(getMember(getMember(row, '_meta'), 'jetbrains'), 'air');
  const told = air === nothing ? [row] : [row, air, getMember(air, 'activity')];
  const state = first(told, stateIn);
  const lastTurnEndedAt = first(told, turnEndIn);
  const gitBranch = first(told, branchIn);
  const cost = first(told, costIn);
  return {
    ...(state !== undefined && { state }),
    ...(lastTurnEndedAt !== undefined && { lastTurnEndedAt }),
    ...(gitBranch !== undefined && { gitBranch }),
    ...(cost && { cost }),
    ...(told.some(isArchived) && { archived: true }),
    ...(readOpenElsewhere(row['_meta']) === true && { openElsewhere: true }),
  };
}

/** What an agent that is shared says in `_meta` of its rows and updates (T-47); `undefined` if it doesn't. */
export function readOpenElsewhere(meta: unknown): boolean | undefined {
  const { openElsewhere } = isObject(meta) ? getMember(meta, 'acpSessions') : {};
  return typeof openElsewhere === 'boolean' ? openElsewhere : undefined;
}

const nothing: JsonObject = {};

function getMember(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : nothing;
}

function first<T>(
  told: readonly JsonObject[],
  read: (from: JsonObject) => T | undefined,
): T | undefined {
  for (const from of told) {
    const value = read(from);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

function stateIn({ state }: JsonObject): ListedFacts['state'] {
  return states.has(state) ? (state as ListedFacts['state']) : undefined;
}

function turnEndIn(from: JsonObject): string | undefined {
  return titleIn(from, 'lastTurnEndedAt');
}

function isArchived({ archived }: JsonObject): boolean {
  return archived === true;
}

function branchIn({ gitBranch }: JsonObject): string | undefined {
  const isName = typeof gitBranch === 'string' && gitBranch.trim() !== '';
  return isName && gitBranch.length <= maxBranchLength ? gitBranch : undefined;
}

function costIn({ cost }: JsonObject): ListedFacts['cost'] {
  const { amount, currency } = isObject(cost) ? cost : {};
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= maxCost)) {
    return undefined;
  }
  const isUnit = typeof currency === 'string' && currency.length <= maxCurrencyLength;
  return isUnit ? { amount, currency } : undefined;
}
