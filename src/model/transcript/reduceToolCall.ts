import * as l10n from '@vscode/l10n';
import { maxItems } from '../../protocol/bounds';
import type { SessionUpdate, ToolCallPatch } from '../../protocol/updates';
import type { ToolContent } from '../../shared/transcript/content';
import type {
  TerminalState,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { afterSequence } from '../../util/terminalSequences';
import { ownPart } from '../../util/textParts';
import { type CallDraft, ownContent, readCall } from '../calls/readCall';
import { todosIn } from '../calls/toolResults';
import { resultWithoutMarkup } from '../text/agentMarkup';
import { afterRejection } from './askedCalls';
import type { EntryList } from './entryList';

export type ToolCallUpdate = Extract<
  SessionUpdate,
  { sessionUpdate: 'tool_call' | 'tool_call_update' }
>;

/** Terminals of one call whose output is kept. */
const maxTerminals = 100;
/** UTF-16 units kept of a terminal's output; it may grow to twice that between two cuts. */
const maxOutput = 1024 * 1024;

/** The key of the note that replaces the output of all further terminals. */
const others = '…';

/**
 * Both kinds of update are patches by id: the first one creates the entry, whichever kind it is
 * (TO-9), and later ones change only the fields they contain (TO-2, TO-10).
 */
export function reduceToolCall(list: EntryList, update: ToolCallUpdate): TranscriptChange {
  const index = list.toolCalls.get(update.toolCallId);
  const before = index === undefined ? undefined : list.at(index);
  if (index === undefined || before?.kind !== 'toolCall') {
    const added = list.push(patched(newToolCall(update), update, list));
    list.toolCalls.set(update.toolCallId, added);
    return { type: 'appended', from: added, to: added + 1 };
  }
  const after = patched(before, update, list);
  const isRejected = list.rejected.size > 0 && list.rejected.has(update.toolCallId);
  const status = isRejected ? afterRejection(after.status) : after.status;
  list.replace(index, status === after.status ? after : { ...after, status });
  return { type: 'updated', index };
}

const more: ToolContent = {
  type: 'content',
  block: { type: 'text', text: l10n.t('… The rest is left out') },
};

/** Content of a call in addition to what it has (V2-TOOL-3). */
export function reduceToolContent(
  list: EntryList,
  { toolCallId, content }: Extract<SessionUpdate, { sessionUpdate: 'tool_call_content_chunk' }>,
): TranscriptChange | undefined {
  const before = list.at(list.toolCalls.get(toolCallId) ?? -1);
  const had = before?.kind === 'toolCall' ? ownContent(before.content) : [];
  if (had.length > maxItems) {
    // A note at its end says that there is more.
    return undefined;
  }
  const all = had.concat(content);
  return reduceToolCall(list, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    content: all.length > maxItems ? [...all.slice(0, maxItems), more] : all,
  });
}

/** A call that has no entry: only a question is about it. */
export function asToolCall(patch: ToolCallPatch): ToolCallEntry {
  return patched(newToolCall(patch), patch);
}

/** TO-1: the defaults until the agent sends a value. */
function newToolCall({ toolCallId, title, name }: ToolCallPatch): ToolCallEntry {
  return {
    kind: 'toolCall',
    toolCallId,
    title: title ?? name ?? l10n.t('Tool call'),
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
  };
}

function patched(before: ToolCallEntry, patch: ToolCallPatch, list?: EntryList): ToolCallEntry {
  const entry: CallDraft = { ...before };
  const todos = list && todosIn(patch.rawInput);
  if (list && todos) list.checklist = todos;
  if (list && list.asked.size > 0 && list.asked.has(before.toolCallId)) entry.asked = true;
  if (patch.name === null) delete entry.name;
  else if (patch.name !== undefined) entry.name = patch.name;
  if (patch.title !== undefined) entry.title = patch.title ?? entry.name ?? l10n.t('Tool call');
  if (patch.kind !== undefined) entry.toolKind = patch.kind;
  if (patch.status !== undefined) entry.status = patch.status;
  if (patch.content !== undefined)
    entry.content = patch.content.some(hasMarkup)
      ? patch.content.map(withoutMarkup)
      : patch.content;
  if (patch.locations !== undefined) entry.locations = patch.locations;
  if (patch.rawInput === null) delete entry.rawInput;
  else if (patch.rawInput !== undefined) entry.rawInput = patch.rawInput;
  if (patch.rawOutput === null) delete entry.rawOutput;
  else if (patch.rawOutput !== undefined) entry.rawOutput = rawWithoutMarkup(patch.rawOutput);
  if (patch.printed !== undefined) entry.rawOutput ??= patch.printed;
  if (patch.terminalOutput !== undefined) {
    entry.terminalOutput = withOutput(before.terminalOutput, patch.terminalOutput);
  }
  if (patch.terminalExit !== undefined) {
    addExit(entry, patch.terminalExit);
  }
  readCall(entry, before, patch);
  return entry;
}

function hasMarkup(content: ToolContent): boolean {
  return withoutMarkup(content) !== content;
}

function withoutMarkup(content: ToolContent): ToolContent {
  if (content.type !== 'content' || content.block.type !== 'text') {
    return content;
  }
  const text = resultWithoutMarkup(content.block.text);
  return text === content.block.text ? content : { ...content, block: { type: 'text', text } };
}

function rawWithoutMarkup(rawOutput: unknown): unknown {
  return typeof rawOutput === 'string' ? resultWithoutMarkup(rawOutput) : rawOutput;
}

/** The call with the output and state of one of its terminals. */
export function withTerminal(
  call: ToolCallEntry,
  terminalId: string,
  text: string,
  state: TerminalState,
): ToolCallEntry {
  const { terminalOutput: before, terminals } = call;
  const terminalOutput =
    before?.get(terminalId) === text
      ? before
      : withOutput(before, [{ terminalId, text, append: false }]);
  return isLeftOut(terminalOutput, terminalId) || terminals?.get(terminalId) === state
    ? { ...call, terminalOutput }
    : { ...call, terminalOutput, terminals: new Map(terminals).set(terminalId, state) };
}

function withOutput(
  before: ToolCallEntry['terminalOutput'],
  pieces: NonNullable<ToolCallPatch['terminalOutput']>,
): ReadonlyMap<string, string> {
  if (before !== undefined && pieces.every((piece) => isLeftOut(before, piece.terminalId))) {
    return before;
  }
  const output = new Map(before);
  let left = maxTerminals - output.size;
  for (const { terminalId, text, append } of pieces) {
    const earlier = output.get(terminalId);
    if (earlier === undefined && left-- <= 0) {
      output.set(others, l10n.t('Output of further terminals is not shown.'));
    } else {
      output.set(terminalId, append ? keepNewest((earlier ?? '') + text) : text);
    }
  }
  return output;
}

/** How a terminal of this client ended isn't up to the agent. */
function addExit(
  call: CallDraft,
  { terminalId, exitCode, signal }: NonNullable<ToolCallPatch['terminalExit']>,
): void {
  const { terminals, terminalOutput } = call;
  const state = terminals?.get(terminalId);
  if (terminalOutput?.has(terminalId) && (state === undefined || state.isAgents)) {
    const ended: TerminalState = { kind: 'exited', isAgents: true, exitCode, signal };
    call.terminals = new Map(terminals).set(terminalId, ended);
  }
}

function isLeftOut(output: ReadonlyMap<string, string>, terminalId: string): boolean {
  return output.has(others) && !output.has(terminalId);
}

/**
 * Keeps the end of a terminal's output, which the user looks for. Cuts only occasionally, so that the cost
 * stays linear.
 */
export function keepNewest(output: string): string {
  if (output.length <= 2 * maxOutput) {
    return output;
  }
  const kept = output.slice(afterSequence(output, output.length - maxOutput));
  return `${l10n.t('… Earlier output is left out')}\n${ownPart(kept, output)}`;
}
