import type { Block, ToolContent, ToolStatus } from '../../shared/transcript/content';
import type {
  CompactionEntry,
  Entry,
  MessageEntry,
  PlanEntry,
  SubagentEntry,
  SubagentState,
  TerminalState,
  ToolCallEntry,
  ToolCallState,
} from '../../shared/transcript/entries';
import { isObject, type JsonObject } from '../../util/json';

/**
 * The params of the `session/update`s that rebuild an entry, in the terms of the protocol.
 * Replaying those of all entries in order restores the transcript. Facts that updates can't express
 * are kept under `_meta.acpSessions` where there is an update to hold them: `dropped`, `command`, the status
 * of a call that was canceled, interrupted or rejected, the size of a binary resource, the form of an unknown block, and what only
 * version 2 has: changes of files without texts.
 * Permissions, elicitations and turn ends aren't updates and yield none.
 */
export function entryUpdates(entry: Entry, sessionId: string): readonly JsonObject[] {
  return entry.kind === 'subagent'
    ? subagentUpdates(entry, sessionId)
    : getUpdates(entry).map((update) => ({ sessionId, update }));
}

/** The subagent's announcement, and its updates under its own id or, for agents without those, its call's. */
function subagentUpdates(entry: SubagentEntry, parentId: string): readonly JsonObject[] {
  const { sessionId, callId, title, description, entries } = entry;
  if (sessionId !== undefined) {
    const update = {
      sessionUpdate: 'subagent_update',
      sessionId,
      title,
      ...(description !== undefined && { description }),
      state: stateJson(entry.state),
    };
    const rest = entries.flatMap((each) => entryUpdates(each, sessionId));
    return [{ sessionId: parentId, update }, ...rest];
  }
  const claudeCode = { parentToolUseId: callId };
  return entries
    .flatMap((each) => entryUpdates(each, parentId))
    .map((params) => ({ ...params, update: withMeta(params['update'], { claudeCode }) }));
}

/** Adds to an update's `_meta`. An update of a subagent's subagent names that one's call already. */
function withMeta(update: unknown, added: JsonObject): unknown {
  const meta = isObject(update) ? update['_meta'] : undefined;
  return isObject(update)
    ? { ...update, _meta: { ...added, ...(isObject(meta) && meta) } }
    : update;
}

function stateJson(state: SubagentState): JsonObject {
  const { kind, ...rest } = state;
  const { stopReason, error } = { stopReason: undefined, error: undefined, ...rest };
  return {
    state: kind,
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { stopReason: stopReason ?? 'error', error: { message: error } }),
  };
}

/** The params of the `session/update` that gives the session its title. */
export function titleUpdate(
  sessionId: string,
  title: string,
  updatedAt: string | undefined,
): JsonObject {
  return { sessionId, update: { sessionUpdate: 'session_info_update', title, updatedAt } };
}

function getUpdates(entry: Entry): readonly JsonObject[] {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return messageUpdates(entry);
    case 'toolCall':
      return toolCallUpdates(entry);
    case 'plan':
      return planUpdates(entry);
    case 'compaction':
      return [compactionUpdate(entry)];
    case 'unknown': {
      const { what, name, raw, count } = entry;
      return [{ sessionUpdate: '_acp_sessions_unknown', what, name, raw, count }];
    }
    case 'permission':
    case 'elicitation':
    case 'subagent':
    case 'turn':
      return [];
  }
}

const chunks = {
  user: 'user_message_chunk',
  agent: 'agent_message_chunk',
  thought: 'agent_thought_chunk',
} as const;

function messageUpdates({
  kind,
  messageId,
  blocks,
  command,
  dropped,
}: MessageEntry): readonly JsonObject[] {
  return blocks.map((block) => ({
    sessionUpdate: chunks[kind],
    ...(messageId !== undefined && { messageId }),
    content: blockJson(block),
    ...((command || dropped) && {
      _meta: ours({ ...(command && { command }), ...(dropped && { dropped }) }),
    }),
  }));
}

/** The status as the agent would report it. */
function reportedStatus(status: ToolCallState): ToolStatus {
  switch (status) {
    case 'cancelled':
    case 'interrupted':
    case 'paused':
      return 'in_progress';
    case 'rejected':
      return 'failed';
    default:
      return status;
  }
}

function toolCallUpdates(entry: ToolCallEntry): readonly JsonObject[] {
  const { toolCallId, title, name, toolKind, status, content, locations, dropped } = entry;
  const { rawInput, rawOutput } = entry;
  const reported = reportedStatus(status);
  const fileChanges = content.flatMap((item, at) =>
    item.type === 'fileChange' ? [{ at, ...item }] : [],
  );
  const terminalSizes = [...(entry.terminals ?? [])].flatMap(([id, { size }]) =>
    size === undefined ? [] : [{ id, ...size }],
  );
  const meta = {
    ...(terminalSizes.length > 0 && { terminalSizes }),
    ...(reported !== status && { status }),
    ...(dropped && { dropped }),
    ...(fileChanges.length > 0 && { fileChanges }),
  };
  const [first, ...others] = [...(entry.terminalOutput ?? [])].map(([id, output]) =>
    terminalMeta(id, output, entry.terminals?.get(id)),
  );
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    ...(name !== undefined && { name }),
    kind: toolKind,
    status: reported,
    content: content.map(contentJson),
    locations,
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
    _meta: { ...first, ...(Object.keys(meta).length > 0 && ours(meta)) },
  };
  const rest = others.map((_meta) => ({ sessionUpdate: 'tool_call_update', toolCallId, _meta }));
  return [call, ...rest];
}

/** The form in which agents report terminals that they run themselves. */
function terminalMeta(id: string, data: string, state: TerminalState | undefined): JsonObject {
  return {
    terminal_output: { terminal_id: id, data },
    ...(state?.kind === 'exited' && {
      terminal_exit: { terminal_id: id, exit_code: state.exitCode, signal: state.signal },
    }),
  };
}

/** A plan that was removed only has an effect if it was there. */
function planUpdates({ planId, items, blocks, path }: PlanEntry): readonly JsonObject[] {
  const [block] = blocks ?? [];
  const id = planId !== undefined && { planId };
  const update = (plan: JsonObject) => ({ sessionUpdate: 'plan_update', plan });
  if (block !== undefined) {
    return [update({ ...planJson(block), ...id, ...(path !== undefined && { path }) })];
  }
  const list = (entries: readonly JsonObject[]) =>
    id ? update({ type: 'items', ...id, entries }) : { sessionUpdate: 'plan', entries };
  const some = { content: '', priority: 'medium', status: 'pending' };
  return items.length > 0 ? [list(items.map((item) => ({ ...item })))] : [list([some]), list([])];
}

function planJson(block: Block): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'markdown', content: block.text };
    case 'resource_link':
      return { type: 'file', uri: block.uri };
    default:
      return { type: block.type === 'unknown' ? block.label : block.type };
  }
}

function compactionUpdate({ compactionId, status, summary, error }: CompactionEntry): JsonObject {
  return {
    sessionUpdate: 'compaction_update',
    compactionId,
    status,
    summary: summary.map(blockJson),
    ...(error !== undefined && { error }),
  };
}

function contentJson(content: ToolContent): JsonObject {
  switch (content.type) {
    case 'content':
      return { type: 'content', content: blockJson(content.block) };
    case 'diff':
    case 'terminal':
      return { ...content };
    case 'fileChange':
      return { type: 'content', content: { type: 'text', text: content.path } };
  }
}

function blockJson(block: Block): JsonObject {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'audio':
    case 'resource_link':
      return { ...block };
    case 'resource': {
      const { uri, mimeType, text, size } = block;
      const type = { uri, ...(mimeType !== undefined && { mimeType }) };
      return text === undefined
        ? { type: 'resource', resource: { ...type, blob: '' }, _meta: ours({ size }) }
        : { type: 'resource', resource: { ...type, text } };
    }
    case 'unknown':
      return { type: block.label, _meta: ours(block.raw === undefined ? {} : { raw: block.raw }) };
  }
}

function ours(meta: JsonObject): JsonObject {
  return { acpSessions: meta };
}
