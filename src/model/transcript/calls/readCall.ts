import * as l10n from '@vscode/l10n';
import { boundedTitle, maxItems } from '../../../protocol/bounds';
import type { ToolCallPatch } from '../../../protocol/updates';
import { filesChangedIn, type ToolContent } from '../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../shared/transcript/entries';
import { isObject } from '../../../util/json';
import { commandOf } from '../../requests/commandLine';
import { hasFailed, isFailure, resultText } from '../toolResults';
import { parsedJson } from './parsedJson';
import { editsIn, locationsIn } from './saidEdits';

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

const told: readonly (keyof ToolCallPatch)[] = [
  ...(['title', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput'] as const),
  ...(['printed', 'terminalExit'] as const),
];

/** Whether an update has something to read: not if it only adds output, or if the call has no raw input or output. */
export function saysMore(before: ToolCallEntry, patch: ToolCallPatch): boolean {
  if (patch.terminalOutput !== undefined && before.content.length === 0) {
    return true;
  }
  const { rawInput, rawOutput, printed, terminalExit } = patch;
  const hasRaw = [before.rawInput, before.rawOutput, rawInput, rawOutput, printed].some(
    (raw) => raw !== undefined,
  );
  const hasTerminal = before.terminalOutput !== undefined || terminalExit !== undefined;
  return (hasRaw || hasTerminal) && told.some((key) => patch[key] !== undefined);
}

/** A call with all that it says: the same one if that is what it has. */
export function withSaid(entry: ToolCallEntry): ToolCallEntry {
  const own = ownContent(entry.content);
  const content = contentOf(entry, own);
  const isOwnPlace = entry.locations.length > 0 && !found.has(entry.locations);
  const locations = isOwnPlace ? entry.locations : locationsOf(entry, content);
  const isFailed =
    entry.status === 'completed' &&
    (hasFailed(entry.rawOutput, entry.toolKind) || hasFailedTerminal(entry));
  const title = titleOf(entry);
  if (content !== own) {
    sent.set(content, own);
  }
  const isSame =
    content === entry.content && locations === entry.locations && title === entry.title;
  return isSame && !isFailed
    ? entry
    : { ...entry, title, content, locations, ...(isFailed && { status: 'failed' }) };
}

/** Whether a command that the agent ran itself has failed: agents report `completed` regardless of it. */
function hasFailedTerminal({ terminals = new Map(), toolKind }: ToolCallEntry): boolean {
  return [...terminals.values()].some(
    (state) =>
      state.isAgents === true && state.kind === 'exited' && isFailure(state.exitCode, toolKind),
  );
}

/** The content as it was sent, if it has the changes and the output. */
function contentOf(entry: ToolCallEntry, own: Content): Content {
  const { rawInput, rawOutput, toolKind, status, terminalOutput } = entry;
  const edits = filesChangedIn(own).length > 0 ? [] : editsIn(rawInput, toolKind);
  const shown = edits.length > maxItems ? [...edits.slice(0, maxItems), rest] : edits;
  if (own.length > 0) {
    return shown.length === 0 ? own : [...shown, ...own];
  }
  const terminals = [...(terminalOutput?.keys() ?? [])].map(
    (terminalId): ToolContent => ({ type: 'terminal', terminalId }),
  );
  const hasEnded = status === 'completed' || status === 'failed';
  const text = hasEnded && terminals.length === 0 ? resultText(rawOutput) : undefined;
  const all = [...shown, ...terminals, ...(text ? [textContent(text)] : [])];
  return all.length === 0 ? own : all;
}

const rest = textContent(l10n.t('… The rest is left out'));

function textContent(text: string): ToolContent {
  return { type: 'content', block: { type: 'text', text } };
}

function locationsOf(
  { rawInput, toolKind, locations }: ToolCallEntry,
  content: Content,
): Locations {
  const said = filesChangedIn(content).length > 0 ? [] : locationsIn(rawInput, toolKind);
  if (said.length === 0) {
    return locations.length === 0 ? locations : [];
  }
  found.add(said);
  return said;
}

/** A tool's name before its input. */
const named = /^([\w.:/-]{1,64}): ?(?=\S)/;

/** The title without the input, if that is all it says. */
function titleOf({ title, name, rawInput }: ToolCallEntry): string {
  if (rawInput === undefined) {
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
  return shown !== '' && commandOf(rawInput)?.startsWith(shown) === true;
}

function commandTitle(rawInput: unknown): string | undefined {
  const command = commandOf(parsedJson(rawInput) ?? rawInput);
  return command === undefined ? undefined : boundedTitle(command);
}
