import { isObject, type JsonObject } from '../../util/json';
import { boundedText, maxItems } from '../bounds';
import { titleIn } from '../shapes/normaliseContent';
import type { Unusable } from '../shapes/updates/readEvent';
import { readTurnUsage } from '../shapes/updates/readTurnUsage';
import type { SessionActivity, SessionUpdate } from '../updates';

const states: ReadonlySet<string> = new Set<SessionActivity['state']>([
  'running',
  'requires_action',
  'idle',
]);
/** UTF-16 units of an error's message. */
const maxMessage = 10_000;

/** A snapshot of what the agent does in a session (V2-TURN-2); any other state counts as unknown (V2-TURN-10). */
export function readStateUpdate(update: JsonObject): SessionUpdate | Unusable {
  const { state, background } = update;
  if (typeof state !== 'string') {
    return 'state_update without a state';
  }
  const count = findCount(background);
  return {
    sessionUpdate: 'state_update',
    state: states.has(state) ? (state as SessionActivity['state']) : 'unknown',
    ...(state === 'idle' && getEnd(update)),
    ...(count !== undefined && { background: count }),
  };
}

/** Why the work ended: a reason that is missing or malformed is none (V2-TURN-4, V2-TURN-5). */
function getEnd(update: JsonObject): Pick<SessionActivity, 'stopReason' | 'error' | 'usage'> {
  const stopReason = titleIn(update, 'stopReason');
  const { error } = update;
  const usage = readTurnUsage(update);
  return {
    ...(stopReason && { stopReason }),
    ...(isObject(error) && { error: getError(error) }),
    ...(usage && { usage }),
  };
}

function getError({ code, message }: JsonObject): NonNullable<SessionActivity['error']> {
  const text = typeof message === 'string' ? boundedText(message, maxMessage) : '';
  return { ...(Number.isInteger(code) && { code: code as number }), message: text };
}

/**
 * The number of background tasks, including unknown kinds; `undefined` if the list is missing or malformed
 * (V2-TURN-12).
 */
function findCount(background: unknown): number | undefined {
  return Array.isArray(background) && background.every(isObject)
    ? Math.min(background.length, maxItems)
    : undefined;
}
