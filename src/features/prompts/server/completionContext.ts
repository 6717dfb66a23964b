import type { PromptDocument, Segment } from '../../../shared/prompt/promptDocument';
import { frontMatterStart } from '../../../shared/prompt/promptFrontMatter';
import { mentionMark } from '../../../shared/prompt/promptMention';

/**
 * The completion context at an offset; a completion replaces the text from `start` to `end`
 * (exclusive).
 */
export type CompletionContext = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'command' | 'file' | 'symbol' | 'key'; readonly query: string }
  | { readonly kind: 'value'; readonly query: string; readonly key: string }
);

const maxQueryLength = 400;
const mention = new RegExp(`${mentionMark}(<[^<>\\r\\n]*|[^\\s@＠<>]*)$`, 'u');
const command = /(?:^|\s)[/／](\S*)$/;
const hasLines = /#L\d*(?:-\d*)?$/;

/** The completion context at the offset; `undefined` where nothing can be completed. */
export function contextAt(content: PromptDocument, offset: number): CompletionContext | undefined {
  const { text } = content;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (isInFrontMatter(content, lineStart, offset)) {
    return settingAt(text, lineStart, offset);
  }
  if (isInside(content.fences, offset, text) || isInComment(content, offset)) {
    return undefined;
  }
  const before = text.slice(Math.max(lineStart, offset - maxQueryLength), offset);
  return commandAt(content, before, offset) ?? mentionAt(content, before, offset);
}

function commandAt(
  content: PromptDocument,
  before: string,
  offset: number,
): CompletionContext | undefined {
  const query = command.exec(before)?.[1];
  const start = offset - (query?.length ?? 0) - 1;
  if (query === undefined || !isAtStart(content, start)) {
    return undefined;
  }
  return { kind: 'command', query, start, end: getEnd(content, 'command', start, offset) };
}

function mentionAt(
  content: PromptDocument,
  before: string,
  offset: number,
): CompletionContext | undefined {
  const written = mention.exec(before)?.[1];
  if (written === undefined) {
    return undefined;
  }
  const start = offset - written.length - 1;
  const end = getEnd(content, 'mention', start, offset);
  if (/^[#＃]/.test(written)) {
    return { kind: 'symbol', query: written.slice(1), start, end };
  }
  return hasLines.test(written)
    ? undefined
    : { kind: 'file', query: written.replace(/^</, ''), start, end };
}

function settingAt(text: string, lineStart: number, offset: number): CompletionContext | undefined {
  const newline = text.indexOf('\n', offset);
  const line = text.slice(lineStart, newline === -1 ? text.length : newline).trimEnd();
  const before = text.slice(lineStart, offset);
  const indent = before.length - before.trimStart().length;
  const colon = line.indexOf(':');
  if (before.trimStart().startsWith('#')) {
    return undefined;
  }
  if (colon === -1 || offset <= lineStart + colon) {
    const keyEnd = colon === -1 ? lineStart + line.length : lineStart + colon;
    const start = lineStart + indent;
    return { kind: 'key', query: before.trimStart(), start, end: Math.max(offset, keyEnd) };
  }
  const written = before.slice(colon + 1);
  const query = written.trimStart();
  const key = line.slice(0, colon).trim();
  const end = Math.max(offset, lineStart + line.length);
  return { kind: 'value', key, query, start: offset - query.length, end };
}

/**
 * Whether the offset is between the two `---` lines; also true while the second one hasn't been
 * written.
 */
function isInFrontMatter(content: PromptDocument, lineStart: number, offset: number): boolean {
  const { text, frontMatter } = content;
  const start = frontMatterStart(text);
  if (start === undefined || lineStart < start) {
    return false;
  }
  if (frontMatter) {
    return offset < frontMatter.end && !/^---\s*$/.test(getLine(text, lineStart));
  }
  const lines = text.slice(start, Math.min(lineStart, start + 20_000)).split('\n');
  return lines.every((line) => line.trim() === '' || /^\s*[^\s:][^:]{0,200}:/.test(line));
}

function getLine(text: string, start: number): string {
  return text.slice(start, start + 10).split('\n', 1)[0] ?? '';
}

/** Whether nothing before the offset is sent. */
function isAtStart({ segments, text }: PromptDocument, offset: number): boolean {
  for (const segment of segments) {
    if (segment.start >= offset) {
      return true;
    }
    const isSent = segment.kind !== 'comment' && segment.kind !== 'frontMatter';
    if (isSent && text.slice(segment.start, Math.min(segment.end, offset)).trim() !== '') {
      return false;
    }
  }
  return true;
}

function isInComment(content: PromptDocument, offset: number): boolean {
  return content.segments.some(
    (segment) =>
      segment.kind === 'comment' &&
      segment.start < offset &&
      (offset < segment.end || !segment.isClosed),
  );
}

function isInside(fences: PromptDocument['fences'], offset: number, text: string): boolean {
  return fences.some(
    ({ start, end }) =>
      start < offset && (offset < end || (offset === end && !text.endsWith('\n', end))),
  );
}

/**
 * The end of a segment of this kind that starts at `start`, so that a completion replaces all of
 * it; otherwise the offset.
 */
function getEnd(
  { segments }: PromptDocument,
  kind: Segment['kind'],
  start: number,
  offset: number,
): number {
  const written = segments.find((segment) => segment.kind === kind && segment.start === start);
  return Math.max(written?.end ?? offset, offset);
}
