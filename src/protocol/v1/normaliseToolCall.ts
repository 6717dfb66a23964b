import {
  type ToolKind,
  type ToolStatus,
  toolKinds,
  toolStatuses,
} from '../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../util/json';
import { boundedId, boundedJson, boundedText, boundedTitle } from '../bounds';
import { normaliseLocations, normaliseToolContent } from '../shapes/normaliseContent';
import type { ToolCallPatch } from '../updates';
import { parentCallOf, subagentIdsIn } from './normaliseSubagent';

type TerminalOutput = NonNullable<ToolCallPatch['terminalOutput']>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const kinds: ReadonlySet<unknown> = new Set(toolKinds);
const statuses: ReadonlySet<unknown> = new Set(toolStatuses);

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
  const kind = normaliseKind(update['kind']);
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

/** The call that this one belongs to, and the subagents that it started. */
function addRelatives(patch: Mutable<ToolCallPatch>, update: JsonObject): void {
  const parentCallId = parentCallOf(update);
  if (parentCallId !== undefined) {
    patch.parentCallId = parentCallId;
  }
  const subagentIds = subagentIdsIn(update['content']);
  if (subagentIds.length > 0) {
    patch.subagentIds = subagentIds;
  }
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
  const terminalOutput = normaliseTerminalOutput(update);
  if (terminalOutput) {
    patch.terminalOutput = terminalOutput;
  }
}

/** A tool kind; unknown ones become `other` (TO-3). */
function normaliseKind(value: unknown): ToolKind | undefined {
  if (kinds.has(value)) {
    return value as ToolKind;
  }
  return typeof value === 'string' ? 'other' : undefined;
}

function isToolStatus(value: unknown): value is ToolStatus {
  return statuses.has(value);
}

/**
 * Agents that run terminals themselves announce one with `_meta.terminal_info`, and send its output
 * in pieces with `_meta.terminal_output`, or with `_meta.terminal_output_delta` if they overlook
 * that this client accepts the former. A call that is announced again starts over.
 */
function normaliseTerminalOutput(update: JsonObject): TerminalOutput | undefined {
  const meta = update['_meta'];
  if (!isObject(meta)) {
    return undefined;
  }
  const { terminal_info: info, terminal_output: output, terminal_output_delta: delta } = meta;
  const append = update['sessionUpdate'] !== 'tool_call';
  const pieces = [
    terminalPiece(info, '', append),
    terminalPiece(output ?? delta, undefined, append),
  ];
  const known = pieces.filter((piece) => piece !== undefined);
  return known.length > 0 ? known : undefined;
}

function terminalPiece(
  value: unknown,
  text: string | undefined,
  append: boolean,
): TerminalOutput[number] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const terminalId = asString(value['terminal_id']);
  const data = text ?? asString(value['data']);
  return terminalId === undefined || data === undefined
    ? undefined
    : { terminalId: boundedId(terminalId), text: boundedText(data), append };
}
