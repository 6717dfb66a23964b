import MarkdownIt, { type Token } from 'markdown-it';
import { type FormulaPlace, findFormulas } from '../../shared/mathRules';
import { codeSpans, escapedLine, hasMarkedAddress } from './markdownEscapes';

/**
 * Builds Markdown whose structure holds whatever text it contains. Only for `transcriptText.ts`,
 * which is loaded on first use.
 */

/**
 * Parses Markdown like VS Code, except for raw HTML, which our texts never contain; blocks only.
 */
const reader = new MarkdownIt({ html: false });
reader.core.ruler.enableOnly(['normalize', 'block']);
/**
 * For texts that become a part of ours: without link definitions, so that their lines count as
 * text.
 */
const parser = new MarkdownIt({ html: false });
parser.core.ruler.enableOnly(['normalize', 'block']);
parser.block.ruler.disable('reference');
findFormulas(reader);
findFormulas(parser);

/** Heading levels reserved for the transcript. */
const ownLevels = 3;
const maxLevels = 6;

const controls = /(?![\t\n])\p{Cc}/gu;

/**
 * Foreign Markdown as a part of a document: its headings go below those of the document, constructs
 * left open end with it, and nothing in it is raw HTML, loads anything or links to anything but a
 * page, an address or a file. Code is kept unchanged. A formula on lines of its own becomes a block of the language
 * `math`, which more renderers know than LaTeX's own delimiters, and none takes for anything else; one within a line
 * gets a dollar on both sides.
 */
export function contained(markdown: string): string {
  // Trimmed because leading indentation would continue a list above the text, and not be code
  // there.
  const lines = markdown.replace(/\r\n?/g, '\n').replace(controls, '').trim().split('\n');
  const tokens = parser.parse(lines.join('\n'), {});
  const code = new Set(tokens.filter((token) => isSurelyCode(token, lines)).flatMap(getLines));
  const dropped = new Set<number>();
  markFormulas(lines, tokens);
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'math_block' && token.level === 0) {
      const [first, end] = token.map ?? [0, 0];
      lines[first] = fencedFormula(token.content.trim());
      code.add(first);
      for (let line = first + 1; line < end; line++) {
        dropped.add(line);
      }
    } else if (token.type === 'heading_open') {
      lowerHeading(lines, token, tokens[index + 1]?.content ?? '');
    }
  }
  const columns = codeColumns(lines, tokens);
  for (const [index, line] of lines.entries()) {
    if (!code.has(index)) {
      const inText = columns.get(index) ?? new Set();
      lines[index] = escapedLine(
        line,
        codeSpans(line).filter(({ start, end }) => inText.has(`${start} ${end}`)),
      );
    }
  }
  const kept = lines.filter((_, index) => !dropped.has(index));
  return [...kept, ...closingFence(lines, tokens)].join('\n');
}

/**
 * The content of a block of code, or of a formula on lines of its own, in a Markdown text, without its fence; `at` counts
 * these blocks from 0.
 */
export function findCode(markdown: string, at: number): string | undefined {
  const code = reader.parse(markdown.replace(/\r\n?/g, '\n'), {}).filter(isCode)[at];
  return code?.type === 'math_block' ? code.content.trim() : code?.content.replace(/\n$/, '');
}

/**
 * The columns of code spans in paragraphs and headings, by line. Leaves out spans over several
 * lines, in tables or beside addresses, which other renderers may parse differently.
 */
function codeColumns(
  lines: readonly string[],
  tokens: readonly Token[],
): ReadonlyMap<number, ReadonlySet<string>> {
  const columns = new Map<number, Set<string>>();
  for (const [index, { type, content, map }] of tokens.entries()) {
    const isText = /^(?:paragraph|heading)_open$/.test(tokens[index - 1]?.type ?? '');
    if (type !== 'inline' || !isText || map === null || hasMarkedAddress(content)) {
      continue;
    }
    let start = 0;
    const spans = [...codeSpans(content)].reverse();
    for (const [offset, text] of content.split('\n').entries()) {
      const at = (lines[map[0] + offset] ?? '').lastIndexOf(text.trim()) - leading(text) - start;
      const end = start + text.length;
      const found = new Set<string>();
      for (let span = spans.at(-1); span !== undefined && span.start < end; span = spans.at(-1)) {
        spans.pop();
        if (span.end <= end) {
          found.add(`${span.start + at} ${span.end + at}`);
        }
      }
      columns.set(map[0] + offset, found);
      start = end + 1;
    }
  }
  return columns;
}

function leading(text: string): number {
  return text.length - text.trimStart().length;
}

function isCode({ type }: Token): boolean {
  return type === 'fence' || type === 'code_block' || type === 'math_block';
}

/** Renderers without tables see an indented block as a part of the text directly above it. */
function isSurelyCode({ type, map }: Token, lines: readonly string[]): boolean {
  const before = lines[(map?.[0] ?? 0) - 1] ?? '';
  return type === 'fence' || (type === 'code_block' && /^[\s>]*$/.test(before));
}

function getLines({ map }: Token): readonly number[] {
  const [start, end] = map ?? [0, 0];
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** A formula as a block of code. */
function fencedFormula(source: string): string {
  const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}math\n${source}\n${fence}`;
}

/** Writes the formulas in paragraphs and headings as GitHub and VS Code draw them, in the lines and in the tokens. */
function markFormulas(lines: string[], tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const { type, content, map } = token;
    const isText = /^(?:paragraph|heading)_open$/.test(tokens[index - 1]?.type ?? '');
    if (type !== 'inline' || !isText || map === null || !/\$|\\[([]/.test(content)) {
      continue;
    }
    const inner: Token[] = [];
    parser.inline.parse(content, parser, {}, inner);
    const formulas = inner.filter((each) => each.type === 'math_inline');
    let next = 0;
    let start = 0;
    const written = content.split('\n').map((text, offset) => {
      const end = start + text.length;
      let changed = '';
      for (; next < formulas.length; next++) {
        const formula = formulas[next];
        const place = formula?.meta as unknown as FormulaPlace;
        if (place.start >= end) {
          break;
        }
        const marked = markedFormula(formula?.content ?? '', content, place);
        if (place.end <= end && marked !== undefined) {
          changed += content.slice(start, place.start) + marked;
          start = place.end;
        }
      }
      changed += content.slice(start, end);
      start = end + 1;
      const line = lines[map[0] + offset] ?? '';
      const shown = text.trim();
      const at = line.lastIndexOf(shown);
      if (changed === text || at === -1) {
        return text;
      }
      lines[map[0] + offset] = line.slice(0, at) + changed.trim() + line.slice(at + shown.length);
      return changed;
    });
    token.content = written.join('\n');
  }
}

/**
 * A formula between dollars, without what would be escaped outside of one; `undefined` if renderers wouldn't take it for a
 * formula.
 */
function markedFormula(
  source: string,
  text: string,
  { start, end }: FormulaPlace,
): string | undefined {
  const isApart =
    !/[\p{L}\p{N}$\\]/u.test(text[start - 1] ?? ' ') && !/[\p{L}\p{N}$]/u.test(text[end] ?? ' ');
  const plain = source
    .trim()
    .replace(/\\?<(?=[a-z/!?])/gi, '\\lt ')
    .replace(/!(?=\[)|\](?=[(:])/g, '$& ');
  return isApart && !/[$`]/.test(plain) ? `$${plain}$` : undefined;
}

function lowerHeading(lines: string[], { map, markup, tag }: Token, content: string): void {
  const [first, end] = map ?? [0, 0];
  const level = Math.min(maxLevels, Number(tag.slice(1)) + ownLevels);
  const line = lines[first] ?? '';
  if (markup.startsWith('#')) {
    lines[first] = line.replace(/#+/, '#'.repeat(level));
    return;
  }
  // An underlined (setext) heading of one line becomes an ATX heading, a longer one a paragraph.
  lines[end - 1] = (lines[end - 1] ?? '').replace(/[=-]+[ \t]*$/, '');
  if (end - first === 2 && line.trimEnd().endsWith(content)) {
    const start = line.trimEnd().length - content.length;
    lines[first] = `${line.slice(0, start)}${'#'.repeat(level)} ${content}`;
  }
}

/** Closes a fence that the text leaves open; inside a list or quote, a fence ends with that. */
function closingFence(lines: readonly string[], tokens: readonly Token[]): readonly string[] {
  const last = tokens.at(-1);
  const [start, end] = last?.map ?? [0, 0];
  if (last?.type !== 'fence' || end < lines.length) {
    return [];
  }
  const marks = /^ {0,3}(`+|~+)[ \t]*$/.exec(lines[end - 1] ?? '')?.[1] ?? '';
  return end - start > 1 && marks.startsWith(last.markup) ? [] : [last.markup];
}
