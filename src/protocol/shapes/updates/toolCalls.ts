import {
  type ToolKind,
  type ToolStatus,
  toolKinds,
  toolStatuses,
} from '../../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../../util/json';
import { boundedId, boundedText, boundedTitle } from '../../bounds';
import type { ToolCallPatch } from '../../updates';
import { findParentCall, subagentIdsIn } from './normaliseSubagent';

type TerminalOutput = NonNullable<ToolCallPatch['terminalOutput']>;
/** A patch while it is put together. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const kinds: ReadonlySet<unknown> = new Set(toolKinds);
const statuses: ReadonlySet<unknown> = new Set(toolStatuses);

/** Adds the call that this one belongs to, and the subagents that it started. */
export function addRelatives(patch: Mutable<ToolCallPatch>, update: JsonObject): void {
  const parentCallId = findParentCall(update);
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
 * Adds what `_meta` says about terminals that the agent runs itself: `terminal_info` announces one, its output comes in
 * pieces as `terminal_output`, or as `terminal_output_delta` if the agent overlooks that this client accepts the
 * former, and `terminal_exit` says how it ended. A call that is announced again starts over: `append` is false then.
 * Claude also sends what a command has printed as `claudeCode.toolResponse`, sometimes there alone.
 */
export function addTerminals(
  patch: Mutable<ToolCallPatch>,
  update: JsonObject,
  append: boolean,
): void {
  const meta = update['_meta'];
  if (!isObject(meta)) {
    return;
  }
  const { terminal_info: info, terminal_output: output, terminal_output_delta: delta } = meta;
  const { terminal_exit: exit, claudeCode } = meta;
  const pieces = [
    terminalPiece(info, '', append),
    terminalPiece(output ?? delta, undefined, append),
    terminalPiece(exit, '', true),
  ].filter((piece) => piece !== undefined);
  if (pieces.length > 0) {
    patch.terminalOutput = pieces;
  }
  const ended = readExit(exit);
  if (ended !== undefined) {
    patch.terminalExit = ended;
  }
  const printed = isObject(claudeCode) ? readPrinted(claudeCode['toolResponse']) : undefined;
  if (printed !== undefined) {
    patch.printed = printed;
  }
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

/**
 * Reads an exit. One with neither a code nor a signal says nothing: Codex sends it for commands that weren't allowed.
 */
function readExit(value: unknown): ToolCallPatch['terminalExit'] {
  if (!isObject(value)) {
    return undefined;
  }
  const terminalId = asString(value['terminal_id']);
  const { exit_code: code } = value;
  const exitCode = typeof code === 'number' && Number.isInteger(code) ? code : null;
  const signal = asString(value['signal']) ?? null;
  return terminalId === undefined || (exitCode === null && signal === null)
    ? undefined
    : {
        terminalId: boundedId(terminalId),
        exitCode,
        signal: signal === null ? null : boundedTitle(signal),
      };
}

function readPrinted(value: unknown): ToolCallPatch['printed'] {
  if (!isObject(value)) {
    return undefined;
  }
  const stdout = boundedText(asString(value['stdout']) ?? '');
  const stderr = boundedText(asString(value['stderr']) ?? '');
  return stdout === '' && stderr === '' ? undefined : { stdout, stderr };
}
