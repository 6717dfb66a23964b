import { Transcript } from '../../../src/model/transcript/transcript';
import type { SessionActivity, SessionUpdate, ToolCallPatch } from '../../../src/protocol/updates';
import type { Block } from '../../../src/shared/transcript/content';
import type { Entry } from '../../../src/shared/transcript/entries';

/** Shorthands for updates, and the entries that result from them. */

export function text(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  value: string,
  messageId?: string,
): SessionUpdate {
  return {
    sessionUpdate,
    content: { type: 'text', text: value },
    ...(messageId !== undefined && { messageId }),
  };
}

export const user = (value: string, id?: string): SessionUpdate =>
  text('user_message_chunk', value, id);
export const agent = (value: string, id?: string): SessionUpdate =>
  text('agent_message_chunk', value, id);
export const thought = (value: string, id?: string): SessionUpdate =>
  text('agent_thought_chunk', value, id);
/** A chunk of the message with this id, wherever that is. */
export const chunk = (
  kind: 'user' | 'agent' | 'thought',
  messageId: string,
  content: string | Block,
): SessionUpdate => ({
  sessionUpdate: kind === 'thought' ? 'agent_thought_chunk' : `${kind}_message_chunk`,
  content: typeof content === 'string' ? { type: 'text', text: content } : content,
  messageId,
  idIsUnique: true,
});
/** A message as a whole; `content` may be one text. */
export const whole = (
  kind: 'user' | 'agent' | 'thought',
  messageId: string,
  content?: string | readonly Block[],
): SessionUpdate => ({
  sessionUpdate: kind === 'thought' ? 'agent_thought' : `${kind}_message`,
  messageId,
  ...(content !== undefined && {
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }),
});
export const state = (
  value: SessionActivity['state'],
  rest: Partial<SessionActivity> = {},
): SessionUpdate => ({ sessionUpdate: 'state_update', state: value, ...rest });
/** What isn't known here. */
export const unknown = (name: string, raw = '{}'): SessionUpdate => ({
  sessionUpdate: '_acp_sessions_unknown',
  what: 'update',
  name,
  raw,
});
export const call = (toolCallId: string, patch: Partial<ToolCallPatch> = {}): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: `Call ${toolCallId}`,
  ...patch,
});
export const change = (toolCallId: string, patch: Partial<ToolCallPatch>): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...patch,
});

export function transcriptOf(...updates: readonly SessionUpdate[]): Transcript {
  const transcript = new Transcript();
  for (const update of updates) {
    transcript.apply(update);
  }
  return transcript;
}

export function entriesOf(...updates: readonly SessionUpdate[]): readonly Entry[] {
  return transcriptOf(...updates).entries;
}
