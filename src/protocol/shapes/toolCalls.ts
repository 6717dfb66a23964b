import {
  type ToolKind,
  type ToolStatus,
  toolKinds,
  toolStatuses,
} from '../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../util/json';
import { boundedId, boundedText } from '../bounds';
import type { ToolCallPatch } from '../updates';
import { parentCallOf, subagentIdsIn } from './normaliseSubagent';

type TerminalOutput = NonNullable<ToolCallPatch['terminalOutput']>;
/** A patch while it is put together. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const kinds: ReadonlySet<unknown> = new Set(toolKinds);
const statuses: ReadonlySet<unknown> = new Set(toolStatuses);

/** Adds the call that this one belongs to, and the subagents that it started. */
export function addRelatives(patch: Mutable<ToolCallPatch>, update: JsonObject): void {
  const parentCallId = parentCallOf(update);
  if (parentCallId !== undefined) {
    patch.parentCallId = parentCallId;
  }
  const subagentIds = subagentIdsIn(update['content']);
  if (subagentIds.length > 0) {
    patch.subagentIds = subagentIds;
  }
}

export function isToolStatus(value: unknown): value is ToolStatus {
  return statuses.has(value);
}

/** A tool kind; unknown ones become `other` (TO-3). */
export function readToolKind(value: unknown): ToolKind | undefined {
  if (kinds.has(value)) {
    return value as ToolKind;
  }
  return typeof value === 'string' ? 'other' : undefined;
}

/**
 * Agents that run terminals themselves announce one with `_meta.terminal_info`, and send its output
 * in pieces with `_meta.terminal_output`, or with `_meta.terminal_output_delta` if they overlook
 * that this client accepts the former. A call that is announced again starts over: `append` is
 * false then.
 */
export function readTerminalOutput(
  update: JsonObject,
  append: boolean,
): TerminalOutput | undefined {
  const meta = update['_meta'];
  if (!isObject(meta)) {
    return undefined;
  }
  const { terminal_info: info, terminal_output: output, terminal_output_delta: delta } = meta;
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
