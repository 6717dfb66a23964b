import assert from 'node:assert/strict';
import { toolKinds, toolStatuses } from '../../../../src/shared/transcript/content';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isTrue: Check = (value) => value === true;
const isObject: Check = (value) => typeof value === 'object' && value !== null;
const isAnything: Check = () => true;
const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** An object whose members are all known, and pass. */
const isMade =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(value as object).every(([key, each]) => members[key]?.(each));

const isBlock: Check = (value) => isObject(value) && isText((value as { type: unknown }).type);
const chunk = { content: isBlock, messageId: isText, idIsUnique: isTrue, parentCallId: isText };
const message = { messageId: isText, content: isListOf(isBlock), parentCallId: isText };
const isItem: Check = (value) =>
  [
    isMade({ type: isOneOf('content'), block: isBlock }),
    isMade({ type: isOneOf('terminal'), terminalId: isText }),
    isMade({ type: isOneOf('diff'), path: isText, oldText: orNull(isText), newText: isText }),
    isMade({
      type: isOneOf('fileChange'),
      operation: isOneOf('add', 'delete', 'modify', 'move', 'copy', 'other'),
      path: isText,
      oldPath: isText,
      fileType: isOneOf('text', 'binary', 'directory', 'symlink'),
    }),
  ].some((check) => check(value));
const call = {
  toolCallId: isText,
  canCancel: isOneOf(true, false),
  parentCallId: isText,
  subagentIds: isListOf(isText),
  title: orNull(isText),
  name: orNull(isText),
  kind: isOneOf(...toolKinds),
  status: isOneOf(...toolStatuses),
  content: isListOf(isItem),
  locations: isListOf(isMade({ path: isText, line: isNumber })),
  rawInput: isAnything,
  rawOutput: isAnything,
  terminalOutput: isListOf(isObject),
};

/** The fields that updates of each kind may have once they are read. */
const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  user_message: message,
  agent_message: message,
  agent_thought: message,
  tool_call_update: call,
  tool_call_content_chunk: { toolCallId: isText, content: isListOf(isItem), parentCallId: isText },
  terminal_update: {
    terminalId: isText,
    command: orNull(isText),
    cwd: orNull(isText),
    output: orNull(isText),
    canCancel: isOneOf(true, false),
    exit: orNull(isMade({ exitCode: orNull(isNumber), signal: orNull(isText) })),
  },
  terminal_output_chunk: { terminalId: isText, data: isText },
  plan: { planId: isText, entries: isListOf(isObject), blocks: isListOf(isBlock) },
  plan_removed: { planId: isText },
  state_update: {
    state: isOneOf('running', 'requires_action', 'idle', 'unknown'),
    stopReason: isText,
    error: isMade({ code: isNumber, message: isText }),
    background: isListOf(isObject),
  },
  available_commands_update: { availableCommands: isListOf(isObject) },
  config_option_update: { configOptions: isListOf(isObject) },
  session_info_update: {
    title: orNull(isText),
    updatedAt: orNull(isText),
    _meta: orNull(isObject),
    openElsewhere: isOneOf(true, false),
  },
  usage_update: { used: isNumber, size: isNumber, cost: isObject, keepsCost: isTrue },
  notice: { severity: isText, title: isText, description: isText },
  compaction_update: {
    compactionId: isText,
    status: isText,
    summary: orNull(isListOf(isBlock)),
    error: orNull(isText),
  },
  compaction_summary_chunk: { compactionId: isText, content: isBlock },
  subagent_update: {
    sessionId: isText,
    title: orNull(isText),
    description: orNull(isText),
    canCancel: isOneOf(true, false),
    state: orNull(isObject),
  },
  session_message: { ...message, senderSessionId: isText, recipientSessionId: isText },
  session_message_chunk: { messageId: isText, content: isBlock },
};

/** Fails if an update has a field that its kind hasn't, or one of another type. */
export function assertShape(update: { readonly sessionUpdate: string }): void {
  const { sessionUpdate, ...fields } = update;
  for (const [name, value] of Object.entries(fields)) {
    assert.ok(
      shapes[sessionUpdate]?.[name]?.(value),
      `${sessionUpdate}.${name}: ${JSON.stringify(value)}`,
    );
  }
}
