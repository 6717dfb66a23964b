import * as l10n from '@vscode/l10n';
import { maxItems } from '../../protocol/bounds';
import type { SessionUpdate } from '../../protocol/updates';
import type { Block, PlanItem } from '../../shared/transcript/content';
import type {
  CompactionEntry,
  Entry,
  PlanEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';
import { assertNever } from '../../util/assertNever';
import { moveToEnd } from './askedCalls';
import { type EntryList, unknownKey } from './entryList';
import { isOnlyContext } from './ownMarkup';
import {
  appendBlock,
  isFull,
  type MessageChunk,
  reduceMessage,
  reduceWhole,
  type WholeMessage,
} from './reduceMessage';
import { reduceToolCall, reduceToolContent, type ToolCallUpdate } from './reduceToolCall';

/**
 * Reduces one update into the entries and returns the changes; none for updates that aren't
 * history, such as usage, modes, titles and notices (NO-3), or that make or name a transcript of a
 * subagent or a terminal, which is done elsewhere. Takes constant time, however long the
 * transcript is.
 */
export function reduce(list: EntryList, update: SessionUpdate): readonly TranscriptChange[] {
  switch (update.sessionUpdate) {
    case 'user_message':
      return reduceWhole(list, 'user', update);
    case 'agent_message':
      return reduceWhole(list, 'agent', update);
    case 'agent_thought':
      return reduceWhole(list, 'thought', update);
    default: {
      const moved = announcesCall(list, update) ? moveToEnd(list, update.toolCallId) : [];
      const change = reduceOne(list, update);
      return change === undefined ? moved : moved.length === 0 ? [change] : [...moved, change];
    }
  }
}

/** Whether this is the first word about a call that a request has named; any other means that the call has begun long ago. */
function announcesCall(list: EntryList, update: SessionUpdate): update is ToolCallUpdate {
  if (list.early.size === 0) {
    return false;
  }
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') {
    return false;
  }
  const isFirst = update.sessionUpdate === 'tool_call' || update.status === 'pending';
  if (!isFirst) {
    list.early.delete(update.toolCallId);
  }
  return isFirst && list.early.has(update.toolCallId);
}

/** The updates that change one entry at most. */
function reduceOne(
  list: EntryList,
  update: Exclude<SessionUpdate, WholeMessage>,
): TranscriptChange | undefined {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      if (isSummary(update)) {
        return reduceCompaction(list, asCompaction(update, list.length));
      }
      return isMachinery(list, update) ? undefined : reduceMessage(list, 'user', update);
    case 'agent_message_chunk':
      return reduceMessage(list, 'agent', update);
    case 'agent_thought_chunk':
      return reduceMessage(list, 'thought', update);
    case 'tool_call':
    case 'tool_call_update':
      return reduceToolCall(list, update);
    case 'tool_call_content_chunk':
      return reduceToolContent(list, update);
    case 'plan':
      return reducePlan(list, update);
    case 'plan_removed':
      return reducePlan(list, { sessionUpdate: 'plan', planId: update.planId, entries: [] });
    case '_acp_sessions_unknown':
      return reduceUnknown(list, update);
    case '_acp_sessions_turn_end':
      return reduceTurnEnd(list, update.stopReason);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return reduceCompaction(list, update);
    case 'available_commands_update':
    case 'current_mode_update':
    case 'config_option_update':
    case 'session_info_update':
    case 'usage_update':
    case 'prompt_suggestions_update':
    case 'notice':
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
    case 'terminal_update':
    case 'terminal_output_chunk':
    case 'state_update':
      return undefined;
    default:
      return assertNever(update);
  }
}

function reduceTurnEnd(list: EntryList, stopReason: string): TranscriptChange {
  const from = list.push({ kind: 'turn', outcome: { type: 'stopped', stopReason } });
  return { type: 'appended', from, to: from + 1 };
}

/**
 * Claude replays a compaction summary as a prompt with this beginning, which the user didn't write.
 */
const summaryStart = 'This session is being continued from a previous conversation';

function isSummary({ content }: MessageChunk): boolean {
  return content.type === 'text' && content.text.startsWith(summaryStart);
}

/**
 * Whether this is something that an agent tells the model in a prompt of its own or in a block of the user's, such as the
 * context of a session. A piece of a text that comes in pieces isn't.
 */
function isMachinery(list: EntryList, { content }: MessageChunk): boolean {
  const isPiece = list.piece?.isStream === true && list.piece.index === list.length - 1;
  return content.type === 'text' && !isPiece && isOnlyContext(content.text);
}

function asCompaction({ content, messageId }: MessageChunk, index: number): CompactionUpdate {
  return {
    sessionUpdate: 'compaction_update',
    compactionId: `replayed ${messageId ?? index}`,
    status: 'completed',
    summary: [content],
  };
}

const isReduced: Readonly<Record<SessionUpdate['sessionUpdate'], boolean>> = {
  user_message_chunk: true,
  agent_message_chunk: true,
  agent_thought_chunk: true,
  tool_call: true,
  tool_call_update: true,
  plan: true,
  _acp_sessions_unknown: false,
  _acp_sessions_turn_end: true,
  compaction_update: true,
  compaction_summary_chunk: true,
  available_commands_update: false,
  current_mode_update: false,
  config_option_update: false,
  session_info_update: false,
  usage_update: false,
  prompt_suggestions_update: false,
  notice: false,
  subagent_update: true,
  session_message: true,
  session_message_chunk: true,
  user_message: true,
  agent_message: true,
  agent_thought: true,
  tool_call_content_chunk: true,
  terminal_update: true,
  terminal_output_chunk: true,
  plan_removed: true,
  state_update: false,
};

/** Whether an update of this kind creates an entry of the conversation or changes one. */
export function isHistory({ sessionUpdate }: SessionUpdate): boolean {
  return isReduced[sessionUpdate];
}

/** Ends a summary that exceeds the maximum length. */
const more: Block = { type: 'text', text: l10n.t('… The rest is left out') };

type CompactionUpdate = Extract<
  SessionUpdate,
  { sessionUpdate: 'compaction_update' | 'compaction_summary_chunk' }
>;

/** The first update fixes the position of the entry; later ones change it there (CP-2, CP-3). */
function reduceCompaction(list: EntryList, update: CompactionUpdate): TranscriptChange {
  const { compactionId } = update;
  const index = list.compactions.get(compactionId);
  const before = index === undefined ? undefined : list.at(index);
  if (index === undefined || before?.kind !== 'compaction') {
    const empty = { kind: 'compaction', compactionId, status: 'in_progress', summary: [] } as const;
    const added = list.push(patched(empty, update));
    list.compactions.set(compactionId, added);
    return { type: 'appended', from: added, to: added + 1 };
  }
  list.replace(index, patched(before, update));
  return { type: 'updated', index };
}

function appended(summary: readonly Block[], content: Block): readonly Block[] {
  if (!isFull(summary)) {
    return appendBlock(summary, content);
  }
  return summary.at(-1) === more ? summary : [...summary, more];
}

function patched(before: CompactionEntry, update: CompactionUpdate): CompactionEntry {
  if (update.sessionUpdate === 'compaction_summary_chunk') {
    return { ...before, summary: appended(before.summary, update.content) };
  }
  const error = update.error === undefined ? before.error : update.error;
  return {
    kind: 'compaction',
    compactionId: before.compactionId,
    status: update.status ?? before.status,
    summary: update.summary === undefined ? before.summary : (update.summary ?? []),
    ...(typeof error === 'string' && { error }),
  };
}

type PlanUpdate = Extract<SessionUpdate, { sessionUpdate: 'plan' }>;

/** Plans of one transcript; further ones aren't shown. */
const maxPlans = 1_000;

/**
 * Each plan replaces the previous one with its id in place (PL-1, PL-2, V2-PLAN-1). One that changes in a later turn is
 * shown there: what was planned before stays where it was.
 */
function reducePlan(list: EntryList, update: PlanUpdate): TranscriptChange | undefined {
  const { planId, blocks, path } = update;
  const index = list.plans.get(planId);
  const before = index === undefined ? undefined : list.at(index);
  const hasItems = update.merges && before?.kind === 'plan';
  const entries = hasItems ? mergedItems(before.items, update.entries) : update.entries;
  const entry: PlanEntry = {
    kind: 'plan',
    ...(planId !== undefined && { planId }),
    items: entries,
    ...(blocks !== undefined && { blocks }),
    ...(path !== undefined && { path }),
  };
  if (entries.length > 0) {
    list.checklist = entries;
  } else if (before?.kind === 'plan' && before.items === list.checklist) {
    list.checklist = undefined;
  }
  const isInPlace = list.plansOfTurn.has(planId) || isEmpty(entry) || isEqual(before, entry);
  if (index !== undefined && isInPlace) {
    list.replace(index, entry);
    return { type: 'updated', index };
  }
  if (isEmpty(entry) || (index === undefined && list.plans.size === maxPlans)) {
    return undefined;
  }
  const from = list.push(entry);
  list.plans.set(planId, from);
  list.plansOfTurn.add(planId);
  return { type: 'appended', from, to: from + 1 };
}

/** Items with the changed ones in their places and new ones at the end; one without an id is known by its text. */
function mergedItems(
  before: readonly PlanItem[],
  changed: readonly PlanItem[],
): readonly PlanItem[] {
  const key = ({ id, content }: PlanItem): string => (id === undefined ? content : `#${id}`);
  const items = new Map(before.map((item) => [key(item), item]));
  for (const item of changed) {
    const at = items.has(item.content) ? item.content : key(item);
    if (items.has(at) || items.size < maxItems) {
      items.set(at, item);
    }
  }
  return [...items.values()];
}

/** Compares plans as the agent sent them, whose members have one order. */
function isEqual(before: Entry | undefined, entry: PlanEntry): boolean {
  return JSON.stringify(before) === JSON.stringify(entry);
}

type UnknownUpdate = Extract<SessionUpdate, { sessionUpdate: '_acp_sessions_unknown' }>;

/** Names of unknown things in one turn; further ones are only in the log. */
const maxUnknown = 20;

/** An agent may send these without end, so all of one name in a turn are counted in one entry. */
function reduceUnknown(list: EntryList, update: UnknownUpdate): TranscriptChange | undefined {
  const { what, name, raw, count = 1 } = update;
  const key = unknownKey(update);
  const index = list.unknown.get(key);
  const before = index === undefined ? undefined : list.at(index);
  if (index !== undefined && before?.kind === 'unknown') {
    list.replace(index, { ...before, count: before.count + count });
    return { type: 'updated', index };
  }
  if (list.unknown.size === maxUnknown) {
    return undefined;
  }
  const from = list.push({ kind: 'unknown', what, name, raw, count });
  list.unknown.set(key, from);
  return { type: 'appended', from, to: from + 1 };
}
