import type { SessionUpdate } from '../../../../src/protocol/updates';

/** What only version 2 says. */
export type LaterKind =
  | 'user_message'
  | 'agent_message'
  | 'agent_thought'
  | 'tool_call_content_chunk'
  | 'terminal_update'
  | 'terminal_output_chunk'
  | 'state_update';

type Kind = Exclude<SessionUpdate['sessionUpdate'], LaterKind>;

/** The compiler reports a kind that is missing here. */
const isKind: Readonly<Record<Kind, true>> = {
  user_message_chunk: true,
  agent_message_chunk: true,
  agent_thought_chunk: true,
  tool_call: true,
  tool_call_update: true,
  plan: true,
  plan_removed: true,
  _acp_sessions_turn_end: true,
  _acp_sessions_unknown: true,
  available_commands_update: true,
  current_mode_update: true,
  config_option_update: true,
  session_info_update: true,
  usage_update: true,
  prompt_suggestions_update: true,
  notice: true,
  compaction_update: true,
  compaction_summary_chunk: true,
  subagent_update: true,
  session_message: true,
  session_message_chunk: true,
};

/** Every known kind of version 1 of `session/update`. */
export const updateKinds = Object.keys(isKind) as readonly Kind[];
