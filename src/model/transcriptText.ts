import type { Block, ToolContent } from '../shared/content';
import type {
  CompactionEntry,
  ElicitationEntry,
  Entry,
  MessageEntry,
  PermissionEntry,
  PlanEntry,
  ToolCallEntry,
  TurnOutcome,
} from '../shared/entries';
import { diffText } from './diffText';
import { contained, fenced, inlineCode, plain } from './markdownText';
import { labelOf } from './titles';

export { codeOf } from './markdownText';

/**
 * Transcripts as Markdown. Headings down to the third level are ours alone: a turn is of the second, what
 * was said or done in it of the third; headings in messages come below. Load it with `import()`: it brings
 * a Markdown parser, and is a bundle of its own.
 */

/** What is said of a session before its transcript. */
export interface TextHeader {
  readonly title: string;
  readonly agentTitle: string;
  readonly cwd: string;
  readonly sessionId: string;
  /** As the agent gave it. */
  readonly updatedAt?: string;
}

/** Who speaks; paths read as they are. */
export interface TextNames {
  readonly agentTitle: string;
}

/**
 * A transcript piece by piece: what they make one after another is the document. One piece for the
 * beginning, then one for each entry, so that whoever asks can stop in between.
 */
export function* transcriptMarkdown(
  header: TextHeader,
  entries: readonly Entry[],
): Generator<string, void> {
  yield beginning(header);
  let turns = 0;
  let before: Entry | undefined;
  for (const entry of entries) {
    const isTurn = entry.kind === 'user' && before?.kind !== 'user';
    turns += isTurn ? 1 : 0;
    const heading = isTurn ? turnHeading(entry, turns) : before ? '' : '\n## Beginning\n';
    yield `${heading}\n${entryMarkdown(entry, header)}\n`;
    before = entry;
  }
}

function beginning({ title, agentTitle, cwd, sessionId, updatedAt }: TextHeader): string {
  const facts = [
    `Agent: ${plain(agentTitle)}`,
    `Folder: ${inlineCode(cwd)}`,
    `Session: ${inlineCode(sessionId)}`,
    ...(updatedAt === undefined ? [] : [`Last change: ${plain(updatedAt)}`]),
  ];
  return `# ${plain(labelOf(title))}\n\n${list(facts)}\n`;
}

const headingLength = 80;

function turnHeading({ blocks }: MessageEntry, turn: number): string {
  const text = blocks.find((block) => block.type === 'text')?.text ?? '';
  const label = plain(text, headingLength);
  return `\n## ${turn}. ${label === '' ? 'Prompt' : label}\n`;
}

/** One entry, with its heading and without an empty line around it. */
export function entryMarkdown(entry: Entry, names: TextNames): string {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return messageMarkdown(entry, names);
    case 'toolCall':
      return paragraphs(`### ${toolHeading(entry)}`, ...toolCallBody(entry));
    case 'plan':
      return planMarkdown(entry);
    case 'compaction':
      return compactionMarkdown(entry);
    case 'permission':
      return permissionMarkdown(entry);
    case 'elicitation':
      return elicitationMarkdown(entry);
    case 'turn':
      return turnMarkdown(entry.outcome);
  }
}

function messageMarkdown(entry: MessageEntry, { agentTitle }: TextNames): string {
  const speakers = { user: 'You', agent: plain(agentTitle), thought: 'Thought' };
  return paragraphs(
    `### ${speakers[entry.kind]}`,
    ...(entry.dropped ? [droppedNote] : []),
    ...blocksMarkdown(entry.blocks),
  );
}

const droppedNote = '*The agent no longer has this in its context.*';

/** Texts that follow each other are one: what one leaves open would go on in the next. */
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
      const name = block.type === 'image' ? 'Image' : 'Audio';
      return `*${name}: ${plain(block.mimeType)}, about ${byteCount(block.data)} bytes*`;
    }
    case 'resource_link':
      return `*Link: ${plain(block.title ?? block.name)}* ${inlineCode(block.uri)}`;
    case 'resource': {
      const name = `*Attached:* ${inlineCode(block.uri)}`;
      return block.text === undefined
        ? `${name} *(binary${block.size === undefined ? '' : `, ${block.size} bytes`})*`
        : paragraphs(name, fenced(block.text));
    }
    case 'unknown':
      return `*Content of a kind that can't be shown: ${plain(block.label)}*`;
  }
}

function byteCount(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

function toolHeading({ title, toolKind }: ToolCallEntry): string {
  const kind = toolKind === 'other' ? 'tool' : toolKind.replace('_', ' ');
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${plain(title)}`;
}

function toolCallBody(entry: ToolCallEntry): readonly string[] {
  const { name, status, locations, rawInput, rawOutput } = entry;
  const facts = [
    `Status: ${status.replace('_', ' ')}`,
    ...(name === undefined ? [] : [`Tool: ${inlineCode(name)}`]),
    ...locations.map(
      ({ path, line }) => `File: ${inlineCode(line === undefined ? path : `${path}:${line}`)}`,
    ),
  ];
  return [
    ...(entry.dropped ? [droppedNote] : []),
    list(facts),
    ...rawMarkdown('Input', rawInput),
    ...entry.content.map((content) => contentMarkdown(content, entry)),
    ...rawMarkdown('Output', rawOutput),
  ];
}

function rawMarkdown(name: string, value: unknown): readonly string[] {
  if (value === undefined) {
    return [];
  }
  const text = typeof value === 'string' ? fenced(value) : undefined;
  return [`${name}:`, text ?? fenced(JSON.stringify(value, undefined, 2), 'json')];
}

function contentMarkdown(content: ToolContent, entry: ToolCallEntry): string {
  switch (content.type) {
    case 'content':
      return paragraphs(...blocksMarkdown([content.block]));
    case 'diff': {
      const name = `${content.oldText === null ? 'New file' : 'Change'}: ${inlineCode(content.path)}`;
      const diff = diffText(content);
      const tooLarge = '*The change is too large to compare here.*';
      return paragraphs(name, diff === undefined ? tooLarge : fenced(diff, 'diff'));
    }
    case 'terminal': {
      const outputs = new Map(Object.entries(entry.terminalOutput ?? {}));
      const output = outputs.get(content.terminalId);
      return output ? paragraphs('Terminal:', fenced(output)) : '*A terminal without output*';
    }
  }
}

function planMarkdown({ items }: PlanEntry): string {
  const states = { pending: 'To do', in_progress: 'In progress', completed: 'Done' };
  const lines = items.map(({ content, status }) => `${states[status]}: ${plain(content, 2000)}`);
  return paragraphs('### Plan', list(lines));
}

function compactionMarkdown({ status, summary, error }: CompactionEntry): string {
  return paragraphs(
    '### Context compacted',
    list([
      `Status: ${plain(status.replace('_', ' '))}`,
      ...(error === undefined ? [] : [`Error: ${plain(error, 2000)}`]),
    ]),
    ...blocksMarkdown(summary),
  );
}

function permissionMarkdown({ toolCall, options, state }: PermissionEntry): string {
  const name = (id: string): string =>
    plain(options.find(({ optionId }) => optionId === id)?.name ?? id);
  const by = state.kind === 'selected' && state.by === 'rule' ? ' (by a rule)' : '';
  const answers = {
    waiting: 'none yet',
    cancelled: 'cancelled',
    selected: state.kind === 'selected' ? `${name(state.optionId)}${by}` : '',
  };
  return paragraphs(
    `### Permission: ${plain(toolCall.title)}`,
    list([`Answer: ${answers[state.kind]}`]),
  );
}

function elicitationMarkdown({ message, ask, state }: ElicitationEntry): string {
  const answers = state.kind === 'accepted' ? Object.entries(state.values) : [];
  return paragraphs(
    '### Question',
    contained(message),
    ask.mode === 'url' ? `Address: ${inlineCode(ask.url)}` : '',
    list([
      `Answer: ${state.kind}`,
      ...answers.map(([field, value]) => `${plain(field)}: ${plain(String(value), 2000)}`),
    ]),
  );
}

function turnMarkdown(outcome: TurnOutcome): string {
  const reason =
    outcome.type === 'stopped'
      ? plain(outcome.stopReason.replaceAll('_', ' '))
      : plain(outcome.failure.title);
  return paragraphs(
    `### Turn ended: ${reason}`,
    outcome.type === 'failed' ? plain(outcome.failure.detail, 2000) : '',
  );
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
