import { isObject, type JsonObject } from '../../util/json';
import type { ListedFacts } from '../agentConnection';
import { titleIn } from './normaliseContent';

const states: ReadonlySet<unknown> = new Set(['running', 'idle', 'requires_action']);
/** Longer than any branch that Git can make; a cut name would be another branch's. */
const longestBranch = 255;
/** A larger amount is an error of the agent, not what a session cost. */
const mostCost = 1e9;
/** Three letters in ISO 4217; some agents count in units of their own. */
const longestCurrency = 12;

/**
 * What a row of `session/list` tells beyond the stable protocol (T-46): as members of the row, as the draft has them,
 * or in `_meta`, as Claude (`jetbrains.air`) and Codex (there, and in its `activity`) send them. Values of another type
 * or out of range count as absent.
 */
export function readListedFacts(row: JsonObject): ListedFacts {
  const air = memberOf(memberOf(memberOf(row, '_meta'), 'jetbrains'), 'air');
  const told = [row, air, memberOf(air, 'activity')];
  const state = told.map((from) => from['state']).find((value) => states.has(value));
  const lastTurnEndedAt = first(told, (from) => titleIn(from, 'lastTurnEndedAt'));
  const gitBranch = first(told, branchIn);
  const cost = first(told, costIn);
  return {
    ...(state !== undefined && { state: state as NonNullable<ListedFacts['state']> }),
    ...(lastTurnEndedAt !== undefined && { lastTurnEndedAt }),
    ...(gitBranch !== undefined && { gitBranch }),
    ...(cost && { cost }),
    ...(told.some((from) => from['archived'] === true) && { archived: true }),
    ...(readOpenElsewhere(row['_meta']) === true && { openElsewhere: true }),
  };
}

/** What an agent that is shared says in `_meta` of its rows and updates (T-47); `undefined` if it doesn't. */
export function readOpenElsewhere(meta: unknown): boolean | undefined {
  const { openElsewhere } = isObject(meta) ? memberOf(meta, 'acpSessions') : {};
  return typeof openElsewhere === 'boolean' ? openElsewhere : undefined;
}

function memberOf(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
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

function branchIn({ gitBranch }: JsonObject): string | undefined {
  const isName = typeof gitBranch === 'string' && gitBranch.trim() !== '';
  return isName && gitBranch.length <= longestBranch ? gitBranch : undefined;
}

function costIn({ cost }: JsonObject): ListedFacts['cost'] {
  const { amount, currency } = isObject(cost) ? cost : {};
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= mostCost)) {
    return undefined;
  }
  const isUnit = typeof currency === 'string' && currency.length <= longestCurrency;
  return isUnit ? { amount, currency } : undefined;
}
