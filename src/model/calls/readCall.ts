import * as l10n from '@vscode/l10n';
import { boundedTitle, maxItems } from '../../protocol/bounds';
import type { ToolCallPatch } from '../../protocol/updates';
import type { ToolContent } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { findCommand } from './commandLine';
import { editorCallTitle } from './editorCalls';
import { parsedJson } from './parsedJson';
import { editsIn, locationsIn } from './saidEdits';
import { hasFailed, isFailure, resultText } from './toolResults';

/**
 * Everything that a call says, in the fields that the protocol has for it: agents put changes, files, output and
 * failures into the raw input and output, or into the title. Rows, texts, questions, the search and the review read
 * these fields only.
 */

type Content = ToolCallEntry['content'];
type Locations = ToolCallEntry['locations'];

/** What the agent itself has sent, for contents and locations that say more than that. */
const sent = new WeakMap<Content, Content>();
const found = new WeakSet<Locations>();

/** The content that the agent has sent as such. */
export function ownContent(content: Content): Content {
  return sent.get(content) ?? content;
}

/** A call while an update of it is taken in. */
export type CallDraft = { -readonly [K in keyof ToolCallEntry]: ToolCallEntry[K] };

/** Reads what an update has changed of what its call says. The draft already has the fields of the update. */
export function readCall(call: CallDraft, before: ToolCallEntry, patch: ToolCallPatch): void {
  const { title, kind, status, content, locations, rawInput, rawOutput } = patch;
  const hasInput = call.rawInput !== undefined;
  const isInputNew = rawInput !== undefined || (hasInput && kind !== undefined);
  // An input that told no changes before still tells none.
  const isChangeNew =
    hasInput && content !== undefined && (hasChange(before.content) || hasChange(content));
  if (isInputNew || isChangeNew || showsNewOutput(call, before, patch)) {
    readContent(call);
  } else if (hasInput && locations !== undefined) {
    readLocations(call);
  }
  if (hasInput && (isInputNew || title !== undefined)) {
    call.title = getTitle(call);
  }
  readEditorCall(call);
  const isEndNew =
    status !== undefined ||
    kind !== undefined ||
    rawOutput !== undefined ||
    patch.printed !== undefined ||
    patch.terminalExit !== undefined;
  if (isEndNew && call.status === 'completed' && saysFailed(call)) {
    call.status = 'failed';
  }
}

/** A call of our own tools is called what it is; its name keeps which. */
function readEditorCall(call: CallDraft): void {
  const title = editorCallTitle(call);
  if (title !== undefined) {
    call.name ??= call.title;
    call.title = title;
  }
}

/** Whether a call may have something new to show in the place of content of its own. */
function showsNewOutput(call: ToolCallEntry, before: ToolCallEntry, patch: ToolCallPatch): boolean {
  const isNew =
    patch.content !== undefined ||
    call.rawOutput !== before.rawOutput ||
    call.terminalOutput?.size !== before.terminalOutput?.size ||
    hasEnded(call) !== hasEnded(before);
  return isNew && ownContent(call.content).length === 0;
}

function hasEnded({ status }: ToolCallEntry): boolean {
  return status === 'completed' || status === 'failed';
}

function readContent(call: CallDraft): void {
  const own = ownContent(call.content);
  const content = getContent(call, own);
  if (content !== own) {
    sent.set(content, own);
  }
  call.content = content;
  readLocations(call);
}

function readLocations(call: CallDraft): void {
  if (call.locations.length === 0 || found.has(call.locations)) {
    call.locations = getLocations(call, call.content);
  }
}

/** Whether its output or its terminals say that it has failed: agents report `completed` regardless of that. */
function saysFailed({ rawOutput, toolKind, terminals }: ToolCallEntry): boolean {
  return (
    (rawOutput !== undefined && hasFailed(rawOutput, toolKind)) ||
    [...(terminals?.values() ?? [])].some(
      (state) =>
        state.isAgents === true && state.kind === 'exited' && isFailure(state.exitCode, toolKind),
    )
  );
}

/** The content as it was sent, if it has the changes and the output. */
function getContent(entry: ToolCallEntry, own: Content): Content {
  const { rawInput, rawOutput, toolKind, terminalOutput } = entry;
  const edits = hasChange(own) ? [] : editsIn(rawInput, toolKind);
  const shown = edits.length > maxItems ? [...edits.slice(0, maxItems), rest] : edits;
  if (own.length > 0) {
    return shown.length === 0 ? own : [...shown, ...own];
  }
  const terminals = [...(terminalOutput?.keys() ?? [])].map(
    (terminalId): ToolContent => ({ type: 'terminal', terminalId }),
  );
  const text = hasEnded(entry) && terminals.length === 0 ? resultText(rawOutput) : undefined;
  const all = [...shown, ...terminals, ...(text ? [textContent(text)] : [])];
  return all.length === 0 ? own : all;
}

function hasChange(content: Content): boolean {
  return content.some(({ type }) => type === 'diff' || type === 'fileChange');
}

const rest = textContent(l10n.t('… The rest is left out'));

function textContent(text: string): ToolContent {
  return { type: 'content', block: { type: 'text', text } };
}

function getLocations(
  { rawInput, toolKind, locations }: ToolCallEntry,
  content: Content,
): Locations {
  const said = hasChange(content) ? [] : locationsIn(rawInput, toolKind);
  if (said.length === 0) {
    return locations.length === 0 ? locations : [];
  }
  found.add(said);
  return said;
}

/** A tool's name before its input. */
const named = /^([\w.:/-]{1,64}): ?(?=\S)/;

/** The title without the input, if that is all it says. */
function getTitle({ title, name, rawInput }: ToolCallEntry): string {
  if (!/[:[{]/.test(title)) {
    return title;
  }
  const [start = '', tool] = named.exec(title) ?? [];
  const said = title.slice(start.length);
  if (isInput(said, rawInput)) {
    return tool ?? commandTitle(rawInput) ?? name ?? l10n.t('Tool call');
  }
  return start !== '' && beginsCommand(said, rawInput) ? (commandTitle(rawInput) ?? title) : title;
}

/** Whether a text is the beginning of an input's JSON, or all of it. */
function isInput(text: string, rawInput: unknown): boolean {
  if (typeof rawInput === 'string') {
    return /^[[{]/.test(text) && rawInput.startsWith(text.replace(/(?:\.{3}|…)$/, ''));
  }
  const [, key] = /^\{\s*"([^"\\]+)"\s*:/.exec(text) ?? [];
  return key !== undefined && isObject(rawInput) && Object.hasOwn(rawInput, key);
}

function beginsCommand(text: string, rawInput: unknown): boolean {
  const shown = text.replace(/(?:\.{3}|…)$/, '');
  return shown !== '' && findCommand(rawInput)?.startsWith(shown) === true;
}

function commandTitle(rawInput: unknown): string | undefined {
  const command = findCommand(parsedJson(rawInput) ?? rawInput);
  return command === undefined ? undefined : boundedTitle(command);
}
