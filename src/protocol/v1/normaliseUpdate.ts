import type { Block, PlanItem } from '../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../util/json';
import type { SessionUpdateEvent } from '../agentConnection';
import {
  boundedId,
  boundedMeta,
  boundedText,
  boundedTitle,
  maxId,
  maxTitle,
  moreItems,
} from '../bounds';
import { readOpenElsewhere } from '../shapes/listedFacts';
import { isCount, normaliseBlock, titleIn, usableItems } from '../shapes/normaliseContent';
import type { AvailableCommand, SessionUpdate } from '../updates';
import {
  parentCallOf,
  readSessionMessage,
  readSessionMessageChunk,
  readSubagentSpawned,
  readSubagentState,
  readSubagentUpdate,
} from './normaliseSubagent';
import { normaliseToolCall } from './normaliseToolCall';
import { readConfigOptions } from './readConfig';

/** The reason why an update can't be used, for the log. */
export type Unusable = string;

/**
 * Validates the `params` of a `session/update` by hand (UP-1, UP-2): every field of the result has
 * its declared type, and malformed fields are omitted if the rest still makes sense. For an update
 * of an unknown kind, or without its kind's required fields, returns the reason instead (UP-3).
 * Never throws.
 */
export function normaliseUpdate(params: unknown): SessionUpdateEvent | Unusable {
  if (!isObject(params)) {
    return 'session/update without params';
  }
  const { sessionId, update } = params;
  if (typeof sessionId !== 'string' || sessionId.length > maxId) {
    return 'session/update without a session id';
  }
  if (!isObject(update)) {
    return 'session/update without an update';
  }
  const usable = readUpdate(update);
  return typeof usable === 'string' ? usable : { sessionId, update: usable };
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
    case '_acp_sessions_turn_end':
      return turnEnd(update);
    case 'available_commands_update':
      return availableCommands(update);
    case 'current_mode_update':
      return currentMode(update);
    case 'config_option_update': {
      const configOptions = readConfigOptions(update['configOptions']);
      return configOptions
        ? { sessionUpdate: 'config_option_update', configOptions }
        : 'config_option_update without options';
    }
    case 'session_info_update':
      return sessionInfo(update);
    case 'usage_update':
      return usage(update);
    case 'notice':
      return notice(update);
    case 'compaction_update':
      return compaction(update);
    case 'compaction_summary_chunk':
      return compactionChunk(update);
    case 'subagent_update':
      return readSubagentUpdate(update);
    case 'subagent_spawned':
      return readSubagentSpawned(update);
    case 'subagent_state_update':
      return readSubagentState(update);
    case 'session_message':
      return readSessionMessage(update);
    case 'session_message_chunk':
      return readSessionMessageChunk(update);
    default:
      return `update of unknown kind ${kindLabel(kind)}`;
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
  const parentCallId = update['_meta'] === undefined ? undefined : parentCallOf(update);
  return parentCallId === undefined ? chunk : { ...chunk, parentCallId };
}

function toolCall(
  sessionUpdate: 'tool_call' | 'tool_call_update',
  update: JsonObject,
): SessionUpdate | Unusable {
  const patch = normaliseToolCall(update);
  return patch ? { sessionUpdate, ...patch } : `${sessionUpdate} without an id`;
}

/** The mode reported by Gemini, which only does so in a message text. */
function saidMode(content: Block): string | undefined {
  return content.type === 'text'
    ? /^\[MODE_UPDATE\] (\S{1,100})$/.exec(content.text)?.[1]
    : undefined;
}

/** A plan. Entries with an unknown status or priority are still shown (PL-3). */
function plan(update: JsonObject): SessionUpdate | Unusable {
  const entries = usableItems(update['entries'], planItem, morePlan);
  return entries ? { sessionUpdate: 'plan', entries } : 'plan without entries';
}

function morePlan(count: number): PlanItem {
  return { content: moreItems(count), priority: 'medium', status: 'pending' };
}

/** UTF-16 units of a plan entry, which is a line or two and is sent with every update. */
const maxPlanText = 10_000;

function planItem(value: unknown): PlanItem | undefined {
  if (!isObject(value) || typeof value['content'] !== 'string') {
    return undefined;
  }
  const { content, priority, status } = value;
  return {
    content: boundedText(content, maxPlanText),
    priority: priority === 'high' || priority === 'low' ? priority : 'medium',
    status: status === 'in_progress' || status === 'completed' ? status : 'pending',
  };
}

function turnEnd(update: JsonObject): SessionUpdate | Unusable {
  const stopReason = titleIn(update, 'stopReason');
  return stopReason
    ? { sessionUpdate: '_acp_sessions_turn_end', stopReason }
    : 'the end of a turn without a reason';
}

function availableCommands(update: JsonObject): SessionUpdate | Unusable {
  const availableCommands = usableItems(update['availableCommands'], command);
  return availableCommands
    ? { sessionUpdate: 'available_commands_update', availableCommands }
    : 'available_commands_update without commands';
}

/** A slash command (CM-1). */
function command(value: unknown): AvailableCommand | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || value['name'] === '') {
    return undefined;
  }
  const { name, input } = value;
  if (name.length > maxTitle) {
    return undefined;
  }
  const description = titleIn(value, 'description') ?? '';
  const hint = isObject(input) ? titleIn(input, 'hint') : undefined;
  return hint === undefined ? { name, description } : { name, description, hint };
}

/** Some agents send `modeId`, as in the protocol's documentation (T-25). */
function currentMode(update: JsonObject): SessionUpdate | Unusable {
  const currentModeId = asString(update['currentModeId']) ?? asString(update['modeId']);
  return currentModeId === undefined || currentModeId.length > maxId
    ? 'current_mode_update without a mode'
    : { sessionUpdate: 'current_mode_update', currentModeId };
}

/** `null` clears a field; a value of the wrong type counts as absent (INFO-1 to INFO-4). */
function sessionInfo(update: JsonObject): SessionUpdate {
  const { title, updatedAt, _meta } = update;
  const openElsewhere = readOpenElsewhere(_meta);
  // What only says this replaces nothing that the agent has said.
  const isAllOfIt = openElsewhere !== undefined && Object.keys(_meta as JsonObject).length === 1;
  return {
    sessionUpdate: 'session_info_update',
    ...(isStringOrNull(title) && { title: title && boundedTitle(title) }),
    ...(isStringOrNull(updatedAt) && { updatedAt: updatedAt && boundedTitle(updatedAt) }),
    ...((_meta === null || (isObject(_meta) && !isAllOfIt)) && {
      _meta: _meta && boundedMeta(_meta),
    }),
    ...(openElsewhere !== undefined && { openElsewhere }),
    ...threadStatus(_meta),
  };
}

/** Codex says in `_meta` when a session begins and ends working (T-40). */
function threadStatus(meta: unknown): { readonly isWorking?: boolean } {
  const codex = isObject(meta) ? meta['codex'] : undefined;
  const status = isObject(codex) ? codex['threadStatus'] : undefined;
  const type = isObject(status) ? status['type'] : undefined;
  return type === 'active' || type === 'idle' ? { isWorking: type === 'active' } : {};
}

/** Context in use and cost (US-1, US-3). */
function usage(update: JsonObject): SessionUpdate | Unusable {
  const { used, size, cost } = update;
  if (!isCount(used) || !isCount(size)) {
    return 'usage_update without numbers';
  }
  if (isObject(cost) && isCount(cost['amount']) && typeof cost['currency'] === 'string') {
    const { amount, currency } = cost;
    const short = { amount, currency: boundedTitle(currency) };
    return { sessionUpdate: 'usage_update', used, size, cost: short };
  }
  return { sessionUpdate: 'usage_update', used, size };
}

/** A notice needs a title; its severity may be any string (NO-2). */
function notice(update: JsonObject): SessionUpdate | Unusable {
  const title = titleIn(update, 'title');
  if (!title) {
    return 'notice without a title';
  }
  const severity = titleIn(update, 'severity') ?? 'info';
  const description = titleIn(update, 'description');
  return description === undefined
    ? { sessionUpdate: 'notice', severity, title }
    : { sessionUpdate: 'notice', severity, title, description };
}

/** A compaction: `null` clears a field, an absent one is unchanged (CP-2). */
function compaction(update: JsonObject): SessionUpdate | Unusable {
  const compactionId = asString(update['compactionId']);
  const status = titleIn(update, 'status');
  if (compactionId === undefined || status === undefined) {
    return 'compaction_update without id or status';
  }
  const summary: readonly Block[] | null | undefined =
    update['summary'] === null ? null : usableItems(update['summary'], normaliseBlock);
  const { error } = update;
  return {
    sessionUpdate: 'compaction_update',
    compactionId: boundedId(compactionId),
    status,
    ...(summary !== undefined && { summary }),
    ...(isStringOrNull(error) && { error: error && boundedText(error) }),
  };
}

/** A chunk of a compaction's summary (CP-3). */
function compactionChunk(update: JsonObject): SessionUpdate | Unusable {
  const compactionId = asString(update['compactionId']);
  const content = normaliseBlock(update['content']);
  return compactionId === undefined || !content
    ? 'compaction_summary_chunk without id or content'
    : { sessionUpdate: 'compaction_summary_chunk', compactionId: boundedId(compactionId), content };
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function kindLabel(kind: unknown): string {
  return typeof kind === 'string' ? JSON.stringify(kind.slice(0, 60)) : `of type ${typeof kind}`;
}
