import { isObject, type JsonObject } from '../../util/json';
import { boundedId, boundedText, maxItems } from '../bounds';
import { getLabel, titleIn } from '../shapes/normaliseContent';
import type { Unusable } from '../shapes/updates/readEvent';
import { readTurnUsage } from '../shapes/updates/readTurnUsage';
import type { BackgroundItem, SessionActivity, SessionUpdate } from '../updates';

const states: ReadonlySet<string> = new Set<SessionActivity['state']>([
  'running',
  'requires_action',
  'idle',
]);
/** UTF-16 units of an error's message. */
const maxMessage = 10_000;

/** A snapshot of what the agent does in a session (V2-TURN-2); any other state counts as unknown (V2-TURN-10). */
export function readStateUpdate(update: JsonObject): SessionUpdate | Unusable {
  const { state } = update;
  if (typeof state !== 'string') {
    return 'state_update without a state';
  }
  const background = readBackground(update['background']);
  return {
    sessionUpdate: 'state_update',
    state: states.has(state) ? (state as SessionActivity['state']) : 'unknown',
    ...(state === 'idle' && getEnd(update)),
    ...(background !== undefined && { background }),
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
 * What runs in the background, including unknown kinds, each with an id once; `undefined` if the list is missing or
 * malformed (V2-TURN-12).
 */
function readBackground(background: unknown): readonly BackgroundItem[] | undefined {
  if (!Array.isArray(background) || !background.every(isObject)) {
    return undefined;
  }
  const seen = new Set<string>();
  return background
    .slice(0, maxItems)
    .map(readItem)
    .filter((item) => {
      const key = JSON.stringify(item);
      const isNew = item.type === 'other' || !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

function readItem(item: JsonObject): BackgroundItem {
  const { type, terminalId, toolCallId, sessionId } = item;
  if (type === 'terminal' && typeof terminalId === 'string') {
    return { type, terminalId: boundedId(terminalId) };
  }
  if (type === 'tool_call' && typeof toolCallId === 'string') {
    return { type: 'toolCall', toolCallId: boundedId(toolCallId) };
  }
  if (type === 'subagent' && typeof sessionId === 'string') {
    return { type, sessionId: boundedId(sessionId) };
  }
  return { type: 'other', name: getLabel(item) };
}
