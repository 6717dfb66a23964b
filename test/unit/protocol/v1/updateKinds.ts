import type { SessionUpdate } from '../../../../src/protocol/updates';

type Kind = SessionUpdate['sessionUpdate'];

/** The compiler reports a kind that is missing here. */
const isKind: Readonly<Record<Kind, true>> = {
  user_message_chunk: true,
  agent_message_chunk: true,
  agent_thought_chunk: true,
  tool_call: true,
  tool_call_update: true,
  plan: true,
  _acp_sessions_turn_end: true,
  available_commands_update: true,
  current_mode_update: true,
  config_option_update: true,
  session_info_update: true,
  usage_update: true,
  notice: true,
  compaction_update: true,
  compaction_summary_chunk: true,
  subagent_update: true,
  session_message: true,
  session_message_chunk: true,
};

/** Every known kind of `session/update`. */
export const updateKinds = Object.keys(isKind) as readonly Kind[];
