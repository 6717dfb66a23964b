import type { SessionUpdate } from '../../../../src/protocol/updates';
import { normaliseUpdate } from '../../../../src/protocol/v2/normaliseUpdate';

/** The normalized update, or the reason for rejecting it. */
export function normalise(update: unknown): unknown {
  const event = normaliseUpdate({ sessionId: 's', update });
  return typeof event === 'string' ? event : event.update;
}

export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

/** The normalized value of this field in an update of a tool call. */
export function toolField(field: string, value: unknown): unknown {
  const update = normalise({ sessionUpdate: 'tool_call_update', toolCallId: 't', [field]: value });
  return (update as Record<string, unknown>)[field];
}

type Kind = SessionUpdate['sessionUpdate'];

/** The least that is an update of each kind that version 2 has, and how it is read. */
export const leastUpdates: readonly {
  readonly kind: string;
  readonly fields: object;
  readonly read: { readonly sessionUpdate: Kind } & Record<string, unknown>;
}[] = [
  ...(['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'] as const).map((kind) =>
    least(kind, { content: text('a'), messageId: 'm' }, { idIsUnique: true }),
  ),
  ...(['user_message', 'agent_message', 'agent_thought'] as const).map((kind) =>
    least(kind, { messageId: 'm' }),
  ),
  least('tool_call_update', { toolCallId: 't' }),
  {
    kind: 'tool_call_content_chunk',
    fields: { toolCallId: 't', content: { type: 'content', content: text('c') } },
    read: {
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 't',
      content: [{ type: 'content', block: text('c') }],
    },
  },
  least('terminal_update', { terminalId: 'x' }),
  least('terminal_output_chunk', { terminalId: 'x', data: 'AAAA' }),
  {
    kind: 'plan_update',
    fields: { plan: { type: 'items', planId: 'p', entries: [] } },
    read: { sessionUpdate: 'plan', planId: 'p', entries: [] },
  },
  least('plan_removed', { planId: 'p' }),
  least('state_update', { state: 'running' }),
  least('available_commands_update', { availableCommands: [] }),
  least('config_option_update', { configOptions: [] }),
  least('session_info_update', {}),
  least('usage_update', { used: 1, size: 2 }, { keepsCost: true }),
  least('notice', { severity: 'info', title: 'T' }),
  least('compaction_update', { compactionId: 'c', status: 'in_progress' }),
  least('compaction_summary_chunk', { compactionId: 'c', content: text('s') }),
  least('subagent_update', { sessionId: 'child' }),
  least('session_message', { messageId: 'm' }),
  least('session_message_chunk', { messageId: 'm', content: text('do') }),
];

function least(kind: Kind, fields: object, added: object = {}): (typeof leastUpdates)[number] {
  return { kind, fields, read: { sessionUpdate: kind, ...fields, ...added } };
}
