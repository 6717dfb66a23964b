import type { SubagentState } from '../../shared/transcript/entries';
import { isObject, type JsonObject } from '../../util/json';
import { isOffered } from '../shapes/agentInfo';
import { titleIn } from '../shapes/normaliseContent';
import { childId, knownState } from '../shapes/updates/normaliseSubagent';
import type { SessionUpdate } from '../updates';

/** `subagent_spawned` and `subagent_state_update`, what `subagent_update` was called before it became stable (SUB-1). */

/** `subagent_spawned`, from which on the subagent runs. */
export function readSubagentSpawned(update: JsonObject): SessionUpdate | string {
  const sessionId = childId(update['subagentSessionId']);
  if (sessionId === undefined) {
    return 'subagent_spawned without a session id';
  }
  const title = titleIn(update, 'name');
  const description = titleIn(update, 'task');
  const { capabilities } = update;
  return {
    sessionUpdate: 'subagent_update',
    sessionId,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    canCancel: isObject(capabilities) && isOffered(capabilities['cancel']),
    state: { kind: 'running' },
  };
}

/** `subagent_state_update`, whose states are those of a task. */
export function readSubagentState(update: JsonObject): SessionUpdate | string {
  const sessionId = childId(update['subagentSessionId']);
  const state = taskState(update['state']);
  return sessionId === undefined || state === undefined
    ? 'subagent_state_update without a session id or state'
    : { sessionUpdate: 'subagent_update', sessionId, state };
}

function taskState(state: unknown): SubagentState | undefined {
  switch (state) {
    case 'completed':
      return { kind: 'idle', stopReason: 'end_turn' };
    case 'cancelled':
      return { kind: 'idle', stopReason: 'cancelled' };
    case 'failed':
      return { kind: 'idle', error: '' };
    default:
      return typeof state === 'string' ? knownState(state) : undefined;
  }
}
