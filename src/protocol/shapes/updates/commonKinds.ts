import type { JsonObject } from '../../../util/json';
import type { AvailableCommand, SessionUpdate } from '../../updates';
import {
  readCompaction,
  readCompactionChunk,
  readNotice,
  readTurnEnd,
  readUnknown,
} from './commonUpdates';
import {
  readSessionMessage,
  readSessionMessageChunk,
  readSubagentUpdate,
} from './normaliseSubagent';
import type { Unusable } from './readEvent';
import { readPlanRemoved, readPlanUpdate } from './readPlan';
import { readSuggestions } from './readSuggestions';

type ConfigOptions = Extract<
  SessionUpdate,
  { sessionUpdate: 'config_option_update' }
>['configOptions'];

/** The kinds of updates that are the same in both versions, with their readers; all of them are rare. */
export const commonKinds: ReadonlyMap<unknown, (update: JsonObject) => SessionUpdate | Unusable> =
  new Map([
    ['notice', readNotice],
    ['plan_update', readPlanUpdate],
    ['plan_removed', readPlanRemoved],
    ['_acp_sessions_turn_end', readTurnEnd],
    ['_acp_sessions_unknown', readUnknown],
    ['compaction_update', readCompaction],
    ['compaction_summary_chunk', readCompactionChunk],
    ['subagent_update', readSubagentUpdate],
    ['session_message', readSessionMessage],
    ['session_message_chunk', readSessionMessageChunk],
    ['prompt_suggestions_update', readSuggestions],
  ]);

/** The commands as a version has read them. */
export function commandsUpdate(
  availableCommands: readonly AvailableCommand[] | undefined,
): SessionUpdate | Unusable {
  return availableCommands
    ? { sessionUpdate: 'available_commands_update', availableCommands }
    : 'available_commands_update without commands';
}

/** The options as a version has read them. */
export function configOptionUpdate(
  configOptions: ConfigOptions | undefined,
): SessionUpdate | Unusable {
  return configOptions
    ? { sessionUpdate: 'config_option_update', configOptions }
    : 'config_option_update without options';
}
