import { asString, type JsonObject } from '../../util/json';
import { boundedId, boundedJson, boundedTitle } from '../bounds';
import { normaliseLocations, normaliseToolContent } from '../shapes/normaliseContent';
import {
  addRelatives,
  addTerminals,
  isToolStatus,
  type Mutable,
  readToolKind,
} from '../shapes/updates/toolCalls';
import type { ToolCallPatch } from '../updates';

/**
 * The fields of a `tool_call` or `tool_call_update` (TO-1 to TO-8), or `undefined` without an id.
 * Fields that are absent, `null` or malformed are omitted, which means "unchanged" (TO-2, T-21).
 */
export function normaliseToolCall(update: JsonObject): ToolCallPatch | undefined {
  const toolCallId = asString(update['toolCallId']);
  if (toolCallId === undefined) {
    return undefined;
  }
  const patch: Mutable<ToolCallPatch> = { toolCallId: boundedId(toolCallId) };
  const title = asString(update['title']);
  if (title !== undefined) {
    patch.title = boundedTitle(title);
  }
  const name = asString(update['name']);
  if (name !== undefined) {
    patch.name = boundedTitle(name);
  }
  const kind = readToolKind(update['kind']);
  if (kind) {
    patch.kind = kind;
  }
  const { status } = update;
  if (isToolStatus(status)) {
    patch.status = status;
  }
  addContent(patch, update);
  addRelatives(patch, update);
  return patch;
}

function addContent(patch: Mutable<ToolCallPatch>, update: JsonObject): void {
  const content = normaliseToolContent(update['content']);
  if (content) {
    patch.content = content;
  }
  const locations = normaliseLocations(update['locations']);
  if (locations) {
    patch.locations = locations;
  }
  const { rawInput, rawOutput } = update;
  if (rawInput !== undefined && rawInput !== null) {
    patch.rawInput = boundedJson(rawInput);
  }
  if (rawOutput !== undefined && rawOutput !== null) {
    patch.rawOutput = boundedJson(rawOutput);
  }
  addTerminals(patch, update, update['sessionUpdate'] !== 'tool_call');
}
