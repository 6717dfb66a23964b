import type { Block } from '../../shared/transcript/content';
import { asString, type JsonObject } from '../../util/json';
import type { SessionUpdateEvent } from '../agentConnection';
import { boundedId, moreItems } from '../bounds';
import { normaliseBlock, usableItems } from '../shapes/normaliseContent';
import { commandsUpdate, commonKinds, configOptionUpdate } from '../shapes/updates/commonKinds';
import { readSessionInfo, readUsage } from '../shapes/updates/commonUpdates';
import { findParentCall } from '../shapes/updates/normaliseSubagent';
import { readEvent, type Unusable, unknownUpdate } from '../shapes/updates/readEvent';
import type { SessionUpdate } from '../updates';
import { normaliseToolCall, readContentChunk } from './normaliseToolCall';
import { readCommands, readConfigOptions } from './readLists';
import { readStateUpdate } from './readState';
import { readTerminalChunk, readTerminalUpdate } from './readTerminal';

/**
 * Validates the `params` of a `session/update` by hand: every field of the result has its declared type, and malformed
 * fields are omitted if the rest still makes sense. For an update without its kind's required fields, or of a kind
 * that is an extension for others, returns the reason instead. Never throws.
 */
export function normaliseUpdate(params: unknown): SessionUpdateEvent | Unusable {
  return readEvent(params, readUpdate);
}

/**
 * The kind in the result is a literal, not the string that was parsed: everyone who handles the update compares it,
 * which takes much longer with a string that the engine doesn't know yet.
 */
function readUpdate(update: JsonObject): SessionUpdate | Unusable {
  const kind = update['sessionUpdate'];
  switch (kind) {
    case 'agent_message_chunk':
      return messageChunk('agent_message_chunk', update);
    case 'agent_thought_chunk':
      return messageChunk('agent_thought_chunk', update);
    case 'terminal_output_chunk':
      return readTerminalChunk(update);
    case 'user_message_chunk':
      return messageChunk('user_message_chunk', update);
    case 'tool_call_update': {
      const patch = normaliseToolCall(update);
      return patch
        ? Object.assign(patch, { sessionUpdate: 'tool_call_update' as const })
        : 'tool_call_update without an id';
    }
    case 'tool_call_content_chunk':
      return readContentChunk(update);
    case 'agent_message':
      return message('agent_message', update);
    case 'agent_thought':
      return message('agent_thought', update);
    case 'user_message':
      return message('user_message', update);
    case 'state_update':
      return readStateUpdate(update);
    case 'terminal_update':
      return readTerminalUpdate(update);
    case 'available_commands_update':
      return commandsUpdate(readCommands(update['availableCommands']));
    case 'config_option_update':
      return configOptionUpdate(readConfigOptions(update['configOptions']));
    case 'session_info_update':
      return readSessionInfo(update);
    case 'usage_update':
      return usage(update);
    default:
      return commonKinds.get(kind)?.(update) ?? unknownUpdate(kind, update);
  }
}

type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

function messageChunk(sessionUpdate: ChunkKind, update: JsonObject): SessionUpdate | Unusable {
  const content = normaliseBlock(update['content']);
  if (!content) {
    return `${sessionUpdate} without content`;
  }
  const messageId = asString(update['messageId']);
  // One without an id, as in version 1, continues what came last.
  const chunk = messageId
    ? { sessionUpdate, content, messageId: boundedId(messageId), idIsUnique: true as const }
    : { sessionUpdate, content };
  // Nearly no chunk has `_meta`, and this runs for each of them.
  const parentCallId = update['_meta'] === undefined ? undefined : findParentCall(update);
  return parentCallId === undefined ? chunk : { ...chunk, parentCallId };
}

/** A message as a whole: content that is absent or malformed is unchanged, and `null` clears it (V2-MSG-3 to V2-MSG-5). */
function message(
  sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought',
  update: JsonObject,
): SessionUpdate | Unusable {
  const id = asString(update['messageId']);
  if (!id) {
    return `${sessionUpdate} without an id`;
  }
  const messageId = boundedId(id);
  const content =
    update['content'] === null ? [] : usableItems(update['content'], normaliseBlock, moreBlocks);
  const message = content ? { sessionUpdate, messageId, content } : { sessionUpdate, messageId };
  const parentCallId = findParentCall(update);
  return parentCallId === undefined ? message : { ...message, parentCallId };
}

function moreBlocks(count: number): Block {
  return { type: 'text', text: moreItems(count) };
}

/** A cost that is omitted stays, and `null` clears it (V2-USE-1). */
function usage(update: JsonObject): SessionUpdate | Unusable {
  const read = readUsage(update);
  return typeof read === 'string' || read.cost !== undefined || update['cost'] === null
    ? read
    : { ...read, keepsCost: true };
}
