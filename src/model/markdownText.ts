import MarkdownIt, { type Token } from 'markdown-it';
import { cleanText, terminalSequences } from './titles';

/**
 * Pieces of Markdown that stay what they are, whatever text is in them. Only for `transcriptText.ts`,
 * which is loaded when it is first needed.
 */

/** As VS Code reads Markdown, but for raw HTML, which no text of ours has; blocks only. */
const parser = new MarkdownIt({ html: false });
parser.core.ruler.enableOnly(['normalize', 'block']);

/** Headings above these are the transcript's own. */
const ownLevels = 3;
const mostLevels = 6;

const controls = /(?![\t\n])\p{Cc}/gu;
/** What would begin raw HTML, which goes on until its end comes. An address between angles may stay. */
const htmlStart = /^([\s>\d.)+*-]*)<(?=[a-z/!?])(?![a-z][a-z\d+.-]*[:@])/i;
/** What would load something as soon as it is shown. */
const embedded =
  /!(?=\[)|<(?=(?:img|picture|video|audio|source|image|iframe|object|embed|link|input)[\s/])/gi;
const mathStart = /^([\s>\d.)+*-]*)\$\$/;

/**
 * Markdown of somebody else's as a part of a document: its headings are below the document's own, what it
 * leaves open ends with it, and nothing in it is raw HTML or loads anything. Code stays as it is.
 */
export function contained(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').replace(controls, '').trimEnd().split('\n');
  const tokens = parser.parse(lines.join('\n'), {});
  const code = new Set(tokens.filter(isCode).flatMap(linesOf));
  for (const [index, line] of lines.entries()) {
    if (!code.has(index)) {
      lines[index] = escaped(line);
    }
  }
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      lowerHeading(lines, token, tokens[index + 1]?.content ?? '');
    }
  }
  return [...lines, ...closingFence(lines, tokens)].join('\n');
}

/** One of the pieces of code in a Markdown text, counted from 0, without its fence. */
export function codeOf(markdown: string, at: number): string | undefined {
  const code = parser.parse(markdown.replace(/\r\n?/g, '\n'), {}).filter(isCode)[at];
  return code?.content.replace(/\n$/, '');
}

function escaped(line: string): string {
  return line
    .replace(htmlStart, '$1\\<')
    .replace(mathStart, '$1\\$\\$')
    .replace(embedded, (start) => `\\${start}`);
}

function isCode({ type }: Token): boolean {
  return type === 'fence' || type === 'code_block';
}

function linesOf({ map }: Token): readonly number[] {
  const [start, end] = map ?? [0, 0];
  return Array.from({ length: end - start }, (_, index) => start + index);
}

function lowerHeading(lines: string[], { map, markup, tag }: Token, content: string): void {
  const [first, end] = map ?? [0, 0];
  const level = Math.min(mostLevels, Number(tag.slice(1)) + ownLevels);
  const line = lines[first] ?? '';
  if (markup.startsWith('#')) {
    lines[first] = line.replace(/#+/, '#'.repeat(level));
    return;
  }
  // Underlined: a heading of one line becomes one with marks, a longer one a paragraph.
  lines[end - 1] = (lines[end - 1] ?? '').replace(/[=-]+[ \t]*$/, '');
  if (end - first === 2 && line.trimEnd().endsWith(content)) {
    const start = line.trimEnd().length - content.length;
    lines[first] = `${line.slice(0, start)}${'#'.repeat(level)} ${content}`;
  }
}

/** What ends a fence that the text leaves open; in a list or a quote it ends with that. */
function closingFence(lines: readonly string[], tokens: readonly Token[]): readonly string[] {
  const last = tokens.at(-1);
  const [start, end] = last?.map ?? [0, 0];
  if (last?.type !== 'fence' || end < lines.length) {
    return [];
  }
  const marks = /^ {0,3}(`+|~+)[ \t]*$/.exec(lines[end - 1] ?? '')?.[1] ?? '';
  return end - start > 1 && marks.startsWith(last.markup) ? [] : [last.markup];
}

/** A text as a block of code, between fences that are longer than any in it. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const clean = text
    .replace(/\r\n?/g, '\n')
    .replace(terminalSequences, '')
    .replace(controls, '')
    .replace(/\n$/, '');
  return `${fence}${language}\n${clean}\n${fence}`;
}

/** A text as code within a line, cleaned and bounded. */
export function inlineCode(text: string, limit = 1000): string {
  const clean = cleanText(text, limit);
  if (clean === '') {
    return '';
  }
  const ticks = '`'.repeat(longestRun(clean) + 1);
  return ticks.length === 1 ? `\`${clean}\`` : `${ticks} ${clean} ${ticks}`;
}

/** A text as one line of nothing but text, cleaned and bounded. */
export function plain(text: string, limit = 200): string {
  return cleanText(text, limit).replace(/[\\`*_{}[\]<>#|~$&!]/g, '\\$&');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
