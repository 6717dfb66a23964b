import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { type CancellationToken, type Hover, MarkupKind } from 'vscode-languageserver/node';
import { pathOfFileUri } from '../../../model/files/fileUri';
import { readBeginning } from '../../../model/files/regularFile';
import { byteSize } from '../../../shared/byteSize';
import type { LineRange, MentionTarget } from '../../../shared/prompt/promptMention';
import type { ContextText } from '../../../shared/prompt/promptProtocol';
import { findCommand, type Prompt } from './openPrompts';
import { getFolders, getPlace } from './pathTargets';
import { cleanLines, fenced, oneLine } from './plainText';
import type { PromptSearch } from './promptSearch';

const maxReadBytes = 256 * 1024;
const shownLines = 12;
const shownUnits = 2_000;
const maxDescriptionLength = 4_000;

/** The texts of a hover: facts about the target, and a preview of its contents. */
interface Card {
  readonly facts: string;
  readonly preview?: string;
  /** The preview's language. */
  readonly language?: string;
}

/** Hover for the command, mention or image at the offset. */
export async function hoverAt(
  prompt: Prompt,
  offset: number,
  search: PromptSearch,
  markdown: boolean,
  token: CancellationToken,
): Promise<Hover | undefined> {
  const { segments } = prompt.content;
  const at = segments.find(({ start, end }) => start <= offset && offset < end);
  const card = at && (await findCard(at, prompt, search, token));
  if (!at || !card) {
    return undefined;
  }
  const { document } = prompt;
  const range = { start: document.positionAt(at.start), end: document.positionAt(at.end) };
  const { facts, preview, language = '' } = card;
  const texts = preview === undefined ? [facts] : [facts, preview];
  const value = markdown
    ? texts.map((text, index) => fenced(text, index === 0 ? '' : language)).join('\n\n')
    : texts.join('\n\n');
  return {
    contents: { kind: markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value },
    range,
  };
}

async function findCard(
  segment: Prompt['content']['segments'][number],
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Card | undefined> {
  switch (segment.kind) {
    case 'command':
      return commandCard(segment.name, prompt);
    case 'mention':
      return mentionCard(segment.target, prompt, search, token);
    case 'image':
      return fileCard(segment.path, undefined, prompt);
    default:
      return undefined;
  }
}

async function mentionCard(
  target: MentionTarget,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Card | undefined> {
  switch (target.kind) {
    case 'file':
      return fileCard(target.path, target.lines, prompt);
    case 'symbol':
      return symbolCard(target.name, prompt, search, token);
    case 'context':
      return contextCard(await search.context(prompt, target.word, token));
  }
}

/** What would be sent now. */
function contextCard(context: ContextText | undefined): Card | undefined {
  if (context === undefined) {
    return undefined;
  }
  const lines = cleanLines(context.text, shownUnits).trimEnd().split('\n');
  const name = oneLine(context.name, 200);
  return context.text === ''
    ? { facts: l10n.t('{0}\nNothing at the moment', name) }
    : {
        facts: `${name}\n${byteSize(context.size)}`,
        preview: lines.slice(0, shownLines).join('\n'),
      };
}

function commandCard(name: string, prompt: Prompt): Card | undefined {
  const command = findCommand(prompt, name);
  if (!command) {
    return undefined;
  }
  const usage = [`/${command.name}`, command.hint ?? ''].map((text) => oneLine(text, 200));
  const description = cleanLines(command.description, maxDescriptionLength);
  return { facts: `${usage.join(' ').trim()}\n${description}`.trim() };
}

/** Shows the symbol's location as a file with lines. */
async function symbolCard(
  name: string,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Card | undefined> {
  const symbol = await search.symbol(prompt, name, token);
  const file = symbol && pathOfFileUri(symbol.uri);
  const lines = symbol && { first: symbol.line, last: symbol.line + shownLines - 1 };
  return file === undefined ? undefined : fileCard(file, lines, prompt);
}

async function fileCard(
  written: string,
  lines: LineRange | undefined,
  { roots }: Prompt,
): Promise<Card | undefined> {
  const place = await getPlace(written, await getFolders(roots));
  if (place.kind !== 'found') {
    return undefined;
  }
  const name = oneLine(place.path, 500);
  if (!place.isFile) {
    return { facts: place.isFolder ? l10n.t('{0}\nFolder', name) : name };
  }
  const preview = await findPreview(place.path, lines ?? { first: 1, last: shownLines });
  return {
    facts: `${name}\n${byteSize(place.size)}`,
    ...(preview !== undefined && { preview }),
    language: path.extname(place.path).slice(1),
  };
}

/** Reads these lines of a text file, if they are near its start. */
async function findPreview(file: string, { first, last }: LineRange): Promise<string | undefined> {
  try {
    const read = await readBeginning(file, maxReadBytes);
    if (read.includes(0)) {
      return undefined;
    }
    const end = Math.min(last, first - 1 + shownLines);
    const text = read
      .toString('utf8')
      .split('\n')
      .slice(first - 1, end)
      .join('\n');
    return text.trim() === '' ? undefined : cleanLines(text, shownUnits).trimEnd();
  } catch {
    return undefined;
  }
}
