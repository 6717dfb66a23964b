import type { SubagentState } from '../../../shared/transcript/entries';
import { asString, isObject, type JsonObject } from '../../../util/json';
import { boundedId, boundedTitle, maxId } from '../../bounds';
import type { SessionUpdate, SubagentPatch } from '../../updates';
import { isOffered } from '../agentInfo';
import { isStringOrNull, normaliseBlock, titleIn, usableItems } from '../normaliseContent';

/**
 * Subagents, in the two ways in which agents report them: `subagent_update`, as in the protocol, and updates whose
 * `_meta` names the call that they belong to (SUB-1 to SUB-4).
 */

/** `subagent_update`: a patch in which `null` clears a field. */
export function readSubagentUpdate(update: JsonObject): SessionUpdate | string {
  const sessionId = childId(update['sessionId']);
  if (sessionId === undefined) {
    return 'subagent_update without a session id';
  }
  const { title, description, capabilities, state } = update;
  const read = state === null ? null : readState(state);
  const patch: SubagentPatch = {
    sessionId,
    ...(isStringOrNull(title) && { title: title && boundedTitle(title) }),
    ...(isStringOrNull(description) && { description: description && boundedTitle(description) }),
    ...((capabilities === null || isObject(capabilities)) && {
      canCancel: isObject(capabilities) && isOffered(capabilities['cancel']),
    }),
    ...(read !== undefined && { state: read }),
  };
  return { sessionUpdate: 'subagent_update', ...patch };
}

/** The whole state of a subagent; each one replaces the earlier one. */
function readState(value: unknown): SubagentState | undefined {
  const state = isObject(value) ? value['state'] : undefined;
  if (!isObject(value) || typeof state !== 'string') {
    return undefined;
  }
  if (state !== 'idle') {
    return knownState(state);
  }
  const stopReason = titleIn(value, 'stopReason');
  const { error } = value;
  const message = isObject(error) ? (titleIn(error, 'message') ?? '') : undefined;
  return {
    kind: 'idle',
    ...(stopReason !== undefined && { stopReason }),
    ...((message !== undefined || stopReason === 'error') && { error: message ?? '' }),
  };
}

/** A state that isn't idle. */
export function knownState(state: string): SubagentState {
  return { kind: state === 'running' || state === 'requires_action' ? state : 'unknown' };
}

/** `session_message`, an upsert of a message between two sessions. */
export function readSessionMessage(update: JsonObject): SessionUpdate | string {
  const messageId = asString(update['messageId']);
  if (messageId === undefined) {
    return 'session_message without an id';
  }
  const senderSessionId = childId(update['senderSessionId']);
  const recipientSessionId = childId(update['recipientSessionId']);
  const content = update['content'] === null ? [] : usableItems(update['content'], normaliseBlock);
  return {
    sessionUpdate: 'session_message',
    messageId: boundedId(messageId),
    ...(senderSessionId !== undefined && { senderSessionId }),
    ...(recipientSessionId !== undefined && { recipientSessionId }),
    ...(content !== undefined && { content }),
  };
}

export function readSessionMessageChunk(update: JsonObject): SessionUpdate | string {
  const messageId = asString(update['messageId']);
  const content = normaliseBlock(update['content']);
  return messageId === undefined || !content
    ? 'session_message_chunk without id or content'
    : { sessionUpdate: 'session_message_chunk', messageId: boundedId(messageId), content };
}

/** The call whose subagent an update is from: only Claude says so, for clients without subagents. */
export function findParentCall(update: JsonObject): string | undefined {
  const meta = update['_meta'];
  const claude = isObject(meta) ? meta['claudeCode'] : undefined;
  const id = isObject(claude) ? asString(claude['parentToolUseId']) : undefined;
  return id === undefined || id === '' ? undefined : boundedId(id);
}

/** The sessions that a call's content refers to. */
export function subagentIdsIn(content: unknown): readonly string[] {
  return (
    usableItems(content, (item) =>
      isObject(item) && item['type'] === 'session' ? childId(item['sessionId']) : undefined,
    ) ?? []
  );
}

/** The id of a subagent's session; `undefined` if it can't be one. */
export function childId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : undefined;
}
