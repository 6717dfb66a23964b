import type { Block } from '../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../util/json';
import type { SessionUpdateEvent } from '../agentConnection';
import { boundedId, maxId } from '../bounds';
import { normaliseBlock } from '../shapes/normaliseContent';
import { commandsUpdate, commonKinds, configOptionUpdate } from '../shapes/updates/commonKinds';
import {
  readCommands,
  readPlanItems,
  readSessionInfo,
  readUsage,
} from '../shapes/updates/commonUpdates';
import { findParentCall } from '../shapes/updates/normaliseSubagent';
import { readEvent, type Unusable, unknownUpdate } from '../shapes/updates/readEvent';
import type { SessionUpdate } from '../updates';
import { readSubagentSpawned, readSubagentState } from './earlierSubagents';
import { normaliseToolCall } from './normaliseToolCall';
import { readConfigOptions } from './readConfig';
import { readRetry } from './readRetry';

/**
 * Validates the `params` of a `session/update` by hand (UP-1, UP-2): every field of the result has
 * its declared type, and malformed fields are omitted if the rest still makes sense. For an update
 * of an unknown kind, or without its kind's required fields, returns the reason instead (UP-3).
 * Never throws.
 */
export function normaliseUpdate(params: unknown): SessionUpdateEvent | Unusable {
  return readEvent(params, readUpdate);
}

/**
 * The kind in the result is a literal, not the string that was parsed: everyone who handles the
 * update compares it, which takes much longer with a string that the engine doesn't know yet.
 */
function readUpdate(update: JsonObject): SessionUpdate | Unusable {
  const kind = update['sessionUpdate'];
  switch (kind) {
    case 'agent_message_chunk':
      return messageChunk('agent_message_chunk', update);
    case 'agent_thought_chunk':
      return messageChunk('agent_thought_chunk', update);
    case 'user_message_chunk':
      return messageChunk('user_message_chunk', update);
    case 'tool_call':
      return toolCall('tool_call', update);
    case 'tool_call_update':
      return toolCall('tool_call_update', update);
    case 'plan':
      return plan(update);
    case 'available_commands_update':
      return commandsUpdate(readCommands(update['availableCommands']));
    case 'current_mode_update':
      return currentMode(update);
    case 'config_option_update':
      return configOptionUpdate(readConfigOptions(update['configOptions']));
    case 'session_info_update':
      return (
        readRetry(update['_meta']) ?? {
          ...readSessionInfo(update),
          ...threadStatus(update['_meta']),
        }
      );
    case 'usage_update':
      return readUsage(update);
    case 'subagent_spawned':
      return readSubagentSpawned(update);
    case 'subagent_state_update':
      return readSubagentState(update);
    default:
      return commonKinds.get(kind)?.(update) ?? unknownUpdate(kind, update);
  }
}

function messageChunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  update: JsonObject,
): SessionUpdate | Unusable {
  const content = normaliseBlock(update['content']);
  if (!content) {
    return `${sessionUpdate} without content`;
  }
  const mode = sessionUpdate === 'agent_message_chunk' ? saidMode(content) : undefined;
  if (mode !== undefined) {
    return { sessionUpdate: 'current_mode_update', currentModeId: mode };
  }
  const messageId = asString(update['messageId']);
  const chunk =
    messageId === undefined
      ? { sessionUpdate, content }
      : { sessionUpdate, content, messageId: boundedId(messageId) };
  // Nearly no chunk has `_meta`, and this runs for each of them.
  const parentCallId = update['_meta'] === undefined ? undefined : findParentCall(update);
  return parentCallId === undefined ? chunk : { ...chunk, parentCallId };
}

function toolCall(
  sessionUpdate: 'tool_call' | 'tool_call_update',
  update: JsonObject,
): SessionUpdate | Unusable {
  const patch = normaliseToolCall(update);
  // A spread after another property is copied one by one, and this runs for every call.
  return patch ? Object.assign(patch, { sessionUpdate }) : `${sessionUpdate} without an id`;
}

/** The mode reported by Gemini, which only does so in a message text. */
function saidMode(content: Block): string | undefined {
  return content.type === 'text'
    ? /^\[MODE_UPDATE\] (\S{1,100})$/.exec(content.text)?.[1]
    : undefined;
}

function plan(update: JsonObject): SessionUpdate | Unusable {
  const entries = readPlanItems(update['entries']);
  return entries ? { sessionUpdate: 'plan', entries } : 'plan without entries';
}

/** Some agents send `modeId`, as in the protocol's documentation (T-25). */
function currentMode(update: JsonObject): SessionUpdate | Unusable {
  const currentModeId = asString(update['currentModeId']) ?? asString(update['modeId']);
  return currentModeId === undefined || currentModeId.length > maxId
    ? 'current_mode_update without a mode'
    : { sessionUpdate: 'current_mode_update', currentModeId };
}

/** Codex says in `_meta` when a session begins and ends working (T-40). */
function threadStatus(meta: unknown): { readonly isWorking?: boolean } {
  const codex = isObject(meta) ? meta['codex'] : undefined;
  const status = isObject(codex) ? codex['threadStatus'] : undefined;
  const type = isObject(status) ? status['type'] : undefined;
  return type === 'active' || type === 'idle' ? { isWorking: type === 'active' } : {};
}
