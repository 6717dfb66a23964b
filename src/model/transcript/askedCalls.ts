import type { PermissionOption } from '../../shared/requests/agentQuestions';
import { isUnfinished } from '../../shared/transcript/content';
import type {
  Entry,
  PermissionEntry,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import type { EntryList } from './entryList';

/** Entries that move at once, at most: what comes between a request and its call is little. */
const maxMovedEntries = 50;

/** The call with what a question about it says: whether it waits for an answer, and whether it may continue. */
export function noteQuestion(
  list: EntryList,
  call: ToolCallEntry,
  question: PermissionEntry,
): ToolCallEntry {
  const { toolCallId } = call;
  const waiting = list.asked.get(toolCallId) ?? new Set();
  const kind = chosenKind(question);
  if (question.state.kind === 'waiting') {
    list.asked.set(toolCallId, waiting.add(question.requestId));
    list.rejected.delete(toolCallId);
  } else {
    waiting.delete(question.requestId);
  }
  if (waiting.size === 0) {
    list.asked.delete(toolCallId);
  }
  if (kind === 'reject_once' || kind === 'reject_always') {
    list.rejected.add(toolCallId);
  } else if (kind !== undefined) {
    list.rejected.delete(toolCallId);
  }
  const { asked: _, ...before } = call;
  const status = list.rejected.has(toolCallId)
    ? stopped(list, call, call.status)
    : call.status === 'rejected'
      ? 'pending'
      : call.status;
  return { ...before, status, ...(waiting.size > 0 && { asked: true }) };
}

/** A call that can't continue: it was rejected, or ends as what it was part of. */
export function stopped(
  list: EntryList,
  { toolCallId, status }: ToolCallEntry,
  otherwise: ToolCallEntry['status'],
): ToolCallEntry['status'] {
  const isRejected = isUnfinished(status) && list.rejected.has(toolCallId);
  return isRejected ? 'rejected' : otherwise;
}

/** The status of a call that the user has rejected: the agent's word counts once it has gone on, or is done. */
export function afterRejection(status: ToolCallEntry['status']): ToolCallEntry['status'] {
  return status === 'failed' || status === 'pending' ? 'rejected' : status;
}

/**
 * The agent announces a call that it has asked about before, and before what leads to it: the call and the questions
 * about it move to the end, where they belong. Nothing moves across a prompt, or past what is drawn with other entries.
 */
export function moveToEnd(list: EntryList, toolCallId: string): readonly TranscriptChange[] {
  list.early.delete(toolCallId);
  const from = list.toolCalls.get(toolCallId);
  if (from === undefined || list.length - from > maxMovedEntries) {
    return [];
  }
  const indexes = Array.from({ length: list.length - from }, (_, at) => from + at);
  const isOfCall = (index: number): boolean => {
    const entry = list.at(index);
    return index === from || (entry?.kind === 'permission' && entry.call === from);
  };
  const order = [...indexes.filter((at) => !isOfCall(at)), ...indexes.filter(isOfCall)];
  if (!indexes.every((at) => canMove(list.at(at))) || order.every((at, to) => at === from + to)) {
    return [];
  }
  list.reorder(from, order);
  return indexes.map((index) => ({ type: 'updated', index }));
}

function canMove(entry: Entry | undefined): boolean {
  switch (entry?.kind) {
    case 'agent':
    case 'thought':
    case 'toolCall':
    case 'plan':
    case 'permission':
      return true;
    default:
      return false;
  }
}

/** The kind of the chosen option; `undefined` when the request is waiting or was canceled. */
export function chosenKind({
  state,
  options,
}: PermissionEntry): PermissionOption['kind'] | undefined {
  const chosen = state.kind === 'selected' ? state.optionId : undefined;
  return options.find(({ optionId }) => optionId === chosen)?.kind;
}
