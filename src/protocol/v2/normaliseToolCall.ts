import type { ToolKind, ToolStatus } from '../../shared/transcript/content';
import { asString, type JsonObject } from '../../util/json';
import { boundedId, boundedJson, boundedTitle } from '../bounds';
import { readCanCancel } from '../shapes/agentInfo';
import { isStringOrNull, normaliseLocations } from '../shapes/normaliseContent';
import { findParentCall, subagentIdsIn } from '../shapes/updates/normaliseSubagent';
import type { Unusable } from '../shapes/updates/readEvent';
import {
  addRelatives,
  addTerminals,
  isToolStatus,
  type Mutable,
  readToolKind,
} from '../shapes/updates/toolCalls';
import type { SessionUpdate, ToolCallPatch } from '../updates';
import { readToolContent } from './readToolContent';

/**
 * The fields of a `tool_call_update`, or `undefined` without an id. Fields that are absent or malformed are omitted,
 * which means "unchanged"; `null` clears or resets (V2-TOOL-2).
 */
export function normaliseToolCall(update: JsonObject): ToolCallPatch | undefined {
  const toolCallId = asString(update['toolCallId']);
  if (toolCallId === undefined) {
    return undefined;
  }
  const patch: Mutable<ToolCallPatch> = { toolCallId: boundedId(toolCallId) };
  const { title, name, rawInput, rawOutput } = update;
  if (isStringOrNull(title)) {
    patch.title = title && boundedTitle(title);
  }
  if (isStringOrNull(name)) {
    patch.name = name && boundedTitle(name);
  }
  const kind = readKind(update['kind']);
  if (kind !== undefined) {
    patch.kind = kind;
  }
  const status = readStatus(update['status']);
  if (status !== undefined) {
    patch.status = status;
  }
  addContent(patch, update);
  if (rawInput !== undefined) {
    patch.rawInput = boundedJson(rawInput);
  }
  if (rawOutput !== undefined) {
    patch.rawOutput = boundedJson(rawOutput);
  }
  if (update['capabilities'] !== undefined) {
    Object.assign(patch, readCanCancel(update));
  }
  addRelatives(patch, update);
  return patch;
}

function addContent(patch: Mutable<ToolCallPatch>, update: JsonObject): void {
  const content = readToolContent(update['content']);
  if (content !== undefined) {
    patch.content = content;
  }
  const locations =
    update['locations'] === null ? [] : normaliseLocations(update['locations'], readLine);
  if (locations !== undefined) {
    patch.locations = locations;
  }
  // Nothing says whether the call is a new one.
  addTerminals(patch, update, true);
}

function readKind(value: unknown): ToolKind | undefined {
  return value === null ? 'other' : readToolKind(value);
}

/** A status; one from the future counts as running (V2-TOOL-6). */
function readStatus(value: unknown): ToolStatus | undefined {
  if (value === null) {
    return 'pending';
  }
  if (isToolStatus(value)) {
    return value;
  }
  return typeof value === 'string' ? 'in_progress' : undefined;
}

/** Lines count from 1; 0 is none (V2-TOOL-8). */
function readLine(line: unknown): number | undefined {
  return typeof line === 'number' && Number.isFinite(line) && line >= 1
    ? Math.trunc(line)
    : undefined;
}

/** `tool_call_content_chunk`: one item, which is a list because a diff is one of several files (V2-TOOL-3). */
export function readContentChunk(update: JsonObject): SessionUpdate | Unusable {
  const id = asString(update['toolCallId']);
  const item = [update['content']];
  const content = readToolContent(item);
  if (id === undefined || content === undefined) {
    return 'tool_call_content_chunk without id or content';
  }
  const subagentIds = subagentIdsIn(item);
  const parentCallId = findParentCall(update);
  const call = { toolCallId: boundedId(id), ...(parentCallId !== undefined && { parentCallId }) };
  return subagentIds.length > 0
    ? { sessionUpdate: 'tool_call_update', ...call, subagentIds }
    : { sessionUpdate: 'tool_call_content_chunk', ...call, content };
}
