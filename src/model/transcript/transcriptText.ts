import * as l10n from '@vscode/l10n';
import { entryUpdates, titleUpdate } from '../../protocol/savedUpdates';
import { byteSize } from '../../shared/byteSize';
import { outputText } from '../../shared/terminal/outputText';
import { type Block, type Diff, diffsIn, type ToolContent } from '../../shared/transcript/content';
import {
  type CompactionEntry,
  type ElicitationEntry,
  type Entry,
  endsTurn,
  type MessageEntry,
  type PermissionEntry,
  type PlanEntry,
  type SubagentEntry,
  type SubagentState,
  type ToolCallEntry,
  type TurnOutcome,
} from '../../shared/transcript/entries';
import { fileChangeWords } from '../../shared/transcript/fileChangeWords';
import { isEmpty } from '../../shared/transcript/isEmpty';
import { silentTurnWords } from '../../shared/transcript/silentTurnWords';
import { unknownWords } from '../../shared/transcript/unknownWords';
import { Effort } from '../../util/effort';
import { untitledCommand } from '../calls/commandLine';
import { commandOutput } from '../calls/commandOutput';
import { isPrintedIn } from '../calls/toolResults';
import { unshownInput, unshownOutput } from '../calls/unshownRaw';
import { findHunks } from '../text/compareTexts';
import { fenced, inlineCode, plain } from '../text/markdownCode';
import { contained } from '../text/markdownText';
import { getLabel } from '../text/titles';
import { rawText } from './rawText';

export { fenced } from '../text/markdownCode';
export { findCode } from '../text/markdownText';

/**
 * Transcripts as Markdown. Headings of levels 1 to 3 belong to the transcript: level 2 for a turn,
 * level 3 for each message or action in it; headings inside messages are lowered below these. Load
 * this module with `import()`: it brings a Markdown parser and is a part of its own.
 */

/** The facts about a session that precede its transcript. */
export interface TextHeader {
  readonly title: string;
  readonly agentTitle: string;
  readonly cwd: string;
  readonly sessionId: string;
  /** The time as sent by the agent. */
  readonly updatedAt?: string;
  /** When it was stored, in ms since the epoch; absent if it is as the agent has it. */
  readonly cachedAt?: number;
}

/** Names for the speakers. */
export interface TextNames {
  readonly agentTitle: string;
}

/** Steps that comparing the changes of one entry may take, and of all entries of a document. */
const entryEffort = 500_000;
const documentEffort = 100_000_000;

/**
 * Yields a transcript in pieces whose concatenation is the document: the beginning, then one piece
 * per entry, so that the caller can stop in between.
 */
export function* transcriptMarkdown(
  header: TextHeader,
  entries: readonly Entry[],
): Generator<string, void> {
  yield beginning(header);
  const effort = new Effort(documentEffort);
  let turns = 0;
  let before: Entry | undefined;
  for (const entry of entries) {
    if (isEmpty(entry)) {
      continue;
    }
    const isTurn =
      entry.kind === 'user' && !entry.command && (before?.kind !== 'user' || before.command);
    turns += isTurn ? 1 : 0;
    const heading = isTurn
      ? turnHeading(entry, turns)
      : before
        ? ''
        : `\n## ${l10n.t('Beginning')}\n`;
    const allowed = Math.min(entryEffort, effort.left);
    const own = new Effort(allowed);
    yield `${heading}\n${entryMarkdown(entry, header, own)}\n`;
    effort.spend(allowed - own.left);
    before = entry;
  }
}

function beginning(header: TextHeader): string {
  const { title, agentTitle, cwd, sessionId, updatedAt, cachedAt } = header;
  const facts = [
    l10n.t('Agent: {0}', plain(agentTitle)),
    l10n.t('Folder: {0}', inlineCode(cwd)),
    l10n.t('Session: {0}', inlineCode(sessionId)),
    ...(updatedAt === undefined ? [] : [l10n.t('Last change: {0}', plain(updatedAt))]),
    ...(cachedAt === undefined
      ? []
      : [l10n.t('From the cache, as of {0}', new Date(cachedAt).toISOString())]),
  ];
  return `# ${plain(getLabel(title))}\n\n${list(facts)}\n`;
}

const headingLength = 80;

function turnHeading({ blocks }: MessageEntry, turn: number): string {
  const text = blocks.find((block) => block.type === 'text')?.text ?? '';
  const label = plain(text, headingLength);
  return `\n## ${turn}. ${label === '' ? l10n.t('Prompt') : label}\n`;
}

/** An entry with its heading, without blank lines around it. */
export function entryMarkdown(
  entry: Entry,
  names: TextNames,
  effort = new Effort(entryEffort),
): string {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return messageMarkdown(entry, names);
    case 'toolCall':
      return paragraphs(`### ${toolHeading(entry)}`, toolCallBody(entry, effort));
    case 'plan':
      return planMarkdown(entry);
    case 'compaction':
      return compactionMarkdown(entry);
    case 'permission':
      return permissionMarkdown(entry);
    case 'elicitation':
      return elicitationMarkdown(entry);
    case 'subagent':
      return subagentMarkdown(entry, names, effort);
    case 'unknown':
      return paragraphs(`*${plain(unknownWords(entry))}*`, fenced(entry.raw));
    case 'turn':
      return turnMarkdown(entry.outcome, names);
  }
}

function messageMarkdown(entry: MessageEntry, { agentTitle }: TextNames): string {
  const speakers = { user: l10n.t('You'), agent: plain(agentTitle), thought: l10n.t('Thought') };
  return paragraphs(
    `### ${speakers[entry.kind]}`,
    ...(entry.dropped ? [droppedNote] : []),
    blocksMarkdown(entry.blocks),
  );
}

const droppedNote = `*${l10n.t('The agent no longer has this in its context.')}*`;

/** The blocks as Markdown. Adjacent texts are joined, because a construct left open in one continues in the next. */
function blocksMarkdown(blocks: readonly Block[]): readonly string[] {
  const parts: string[] = [];
  let text = '';
  for (const block of blocks) {
    if (block.type === 'text') {
      text += block.text;
    } else {
      parts.push(contained(text), blockMarkdown(block));
      text = '';
    }
  }
  return [...parts, contained(text)];
}

function blockMarkdown(block: Exclude<Block, { type: 'text' }>): string {
  switch (block.type) {
    case 'image':
    case 'audio': {
      const name = block.type === 'image' ? l10n.t('Image') : l10n.t('Audio');
      return `*${l10n.t('{0}: {1}, about {2} bytes', name, plain(block.mimeType), byteCount(block.data))}*`;
    }
    case 'resource_link':
      return `*${l10n.t('Link: {0}', plain(block.title ?? block.name))}* ${inlineCode(block.uri)}`;
    case 'resource': {
      const name = `*${l10n.t('Attached:')}* ${inlineCode(block.uri)}`;
      const binary =
        block.size === undefined ? l10n.t('binary') : l10n.t('binary, {0}', byteSize(block.size));
      return block.text === undefined
        ? `${name} *(${binary})*`
        : paragraphs(name, fenced(block.text));
    }
    case 'unknown':
      return paragraphs(
        `*${l10n.t('The agent sent something that this version of ACP Sessions doesn’t know: {0}', plain(block.label))}*`,
        ...(block.raw === undefined ? [] : [fenced(block.raw)]),
      );
  }
}

function byteCount(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

function toolHeading({ title, toolKind }: ToolCallEntry): string {
  const kind = toolKind === 'other' ? 'tool' : toolKind.replace('_', ' ');
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${plain(title)}`;
}

function toolCallBody(entry: ToolCallEntry, effort: Effort): readonly string[] {
  const { name, status, locations } = entry;
  const command = untitledCommand(entry);
  const facts = [
    l10n.t(
      'Status: {0}',
      entry.asked ? l10n.t('waiting for your answer') : status.replace('_', ' '),
    ),
    ...(name === undefined ? [] : [l10n.t('Tool: {0}', inlineCode(name))]),
    ...locations.map(({ path, line }) =>
      l10n.t('File: {0}', inlineCode(line === undefined ? path : `${path}:${line}`)),
    ),
  ];
  return [
    ...(entry.dropped ? [droppedNote] : []),
    list(facts),
    ...(command === undefined ? [] : [fenced(command, 'sh')]),
    ...rawMarkdown(l10n.t('Input'), unshownInput(entry)),
    ...entry.content.map((content) => contentMarkdown(content, entry, effort)),
    ...rawMarkdown(l10n.t('Output'), unshownOutput(entry)),
  ];
}

function rawMarkdown(name: string, value: unknown): readonly string[] {
  if (value === undefined) {
    return [];
  }
  return [`${name}:`, fenced(rawText(value), typeof value === 'string' ? '' : 'json')];
}

function contentMarkdown(content: ToolContent, entry: ToolCallEntry, effort: Effort): string {
  switch (content.type) {
    case 'content': {
      const { block } = content;
      const output = commandOutput(block, entry);
      if (output !== undefined) {
        return fencedOutput(outputText(output));
      }
      return block.type === 'text' && isPrintedIn(entry, block.text)
        ? fencedOutput(block.text)
        : paragraphs(blocksMarkdown([block]));
    }
    case 'diff': {
      const name =
        content.oldText === null
          ? l10n.t('New file: {0}', inlineCode(content.path))
          : l10n.t('Change: {0}', inlineCode(content.path));
      const diff = diffText(content, effort);
      const tooLarge = `*${l10n.t('The change is too large to compare here.')}*`;
      return paragraphs(name, diff === undefined ? tooLarge : fenced(diff, 'diff'));
    }
    case 'fileChange': {
      const from = content.oldPath === undefined ? undefined : inlineCode(content.oldPath);
      const hasLines = diffsIn(entry.content).some(({ path }) => path === content.path);
      return `${inlineCode(content.path)}: ${fileChangeWords(content, from, hasLines)}`;
    }
    case 'terminal': {
      const output = entry.terminalOutput?.get(content.terminalId);
      const size = entry.terminals?.get(content.terminalId)?.size;
      return output
        ? paragraphs(l10n.t('Terminal:'), fencedOutput(outputText(output, size)))
        : `*${l10n.t('A terminal without output')}*`;
    }
  }
}

/** The hunks of a change in unified diff format; `undefined` if comparing exceeds `effort`. */
function diffText({ oldText, newText }: Diff, effort: Effort): string | undefined {
  if (!oldText) {
    const lines = newText.replace(/\n$/, '').split('\n');
    return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
  }
  return findHunks(oldText, newText, effort)
    ?.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .join('\n');
}

/** Printed output is shown verbatim. */
function fencedOutput(text: string): string {
  return text === '' ? '' : fenced(text);
}

function planMarkdown({ items, blocks = [] }: PlanEntry): string {
  const states = {
    pending: l10n.t('To do'),
    in_progress: l10n.t('In progress'),
    completed: l10n.t('Done'),
    cancelled: l10n.t('Canceled'),
  };
  const lines = items.map(({ content, status }) => `${states[status]}: ${plain(content, 2000)}`);
  return paragraphs(`### ${l10n.t('Plan')}`, list(lines), blocksMarkdown(blocks));
}

function compactionMarkdown({ status, summary, error }: CompactionEntry): string {
  return paragraphs(
    `### ${l10n.t('Context compacted')}`,
    list([
      l10n.t('Status: {0}', plain(status.replace('_', ' '))),
      ...(error === undefined ? [] : [l10n.t('Error: {0}', plain(error, 2000))]),
    ]),
    blocksMarkdown(summary),
  );
}

function permissionMarkdown(entry: PermissionEntry): string {
  const { toolCall, options, state, title, description } = entry;
  const name = (id: string): string =>
    plain(options.find(({ optionId }) => optionId === id)?.name ?? id);
  const chosen = state.kind === 'selected' ? name(state.optionId) : '';
  const answers = {
    waiting: l10n.t('none yet'),
    cancelled: l10n.t('canceled'),
    selected:
      state.kind !== 'selected' || state.by === 'person'
        ? chosen
        : state.by === 'rule'
          ? l10n.t('{0} (by a rule)', chosen)
          : l10n.t('{0} (by ACP Sessions)', chosen),
  };
  return paragraphs(
    `### ${l10n.t('Permission: {0}', plain(title ?? toolCall.title))}`,
    description === undefined ? '' : plain(description, 10_000),
    list([l10n.t('Answer: {0}', answers[state.kind])]),
  );
}

function elicitationMarkdown({ message, ask, state }: ElicitationEntry): string {
  const answers = state.kind === 'accepted' ? Object.entries(state.values) : [];
  return paragraphs(
    `### ${l10n.t('Question')}`,
    contained(message),
    ask.mode === 'url' ? l10n.t('Address: {0}', inlineCode(ask.url)) : '',
    list([
      l10n.t('Answer: {0}', state.kind),
      ...answers.map(([field, value]) => `${plain(field)}: ${plain(String(value), 2000)}`),
    ]),
  );
}

/** What a subagent did, as a quotation. */
function subagentMarkdown(
  { title, description, state, entries }: SubagentEntry,
  names: TextNames,
  effort: Effort,
): string {
  const own = { agentTitle: title };
  return paragraphs(
    `### ${l10n.t('Subagent: {0}', plain(title))}`,
    list([
      l10n.t('Status: {0}', subagentStatus(state)),
      ...(description === undefined ? [] : [l10n.t('Task: {0}', plain(description, 2000))]),
    ]),
    ...entries.map((entry) =>
      quoted(entryMarkdown(entry, entry.kind === 'user' ? names : own, effort)),
    ),
  );
}

function subagentStatus(state: SubagentState): string {
  const reason = state.kind === 'idle' ? (state.error ?? state.stopReason) : undefined;
  return plain(`${state.kind} ${reason ?? ''}`.trim().replaceAll('_', ' '));
}

function quoted(markdown: string): string {
  return markdown.replace(/^/gm, '> ');
}

function turnMarkdown(outcome: TurnOutcome, { agentTitle }: TextNames): string {
  if (endsTurn(outcome)) {
    return `### ${silentTurnWords(plain(agentTitle))}`;
  }
  const reason =
    outcome.type === 'stopped'
      ? plain(outcome.stopReason.replaceAll('_', ' '))
      : plain(outcome.failure.title);
  return paragraphs(
    `### ${l10n.t('Turn ended: {0}', reason)}`,
    outcome.type === 'failed' ? plain(outcome.failure.detail, 2000) : '',
  );
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function paragraphs(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .filter((part) => part !== '')
    .join('\n\n');
}

interface LinesHeader {
  readonly sessionId: string;
  readonly title: string;
  readonly updatedAt?: string;
}

/**
 * A transcript as JSON Lines: `session/update` params, beginning with the title. Entries that yield no update are left
 * out; see `entryUpdates`.
 */
export function* transcriptJsonLines(
  { sessionId, title, updatedAt }: LinesHeader,
  entries: readonly Entry[],
): Generator<string, void> {
  yield `${JSON.stringify(titleUpdate(sessionId, title, updatedAt))}\n`;
  for (const entry of entries) {
    yield entryUpdates(entry, sessionId)
      .map((params) => `${JSON.stringify(params)}\n`)
      .join('');
  }
}
