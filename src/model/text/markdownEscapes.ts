/**
 * Removes from Markdown's inline syntax what could do harm when it is rendered: raw HTML, images,
 * links that run or hide something, and definitions that change links elsewhere. Text, emphasis and
 * code are kept.
 */

/** A range of columns in a line; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A URL in angle brackets that no renderer takes for a tag. */
const autolink = /<(?:https?:\/\/|mailto:)[^\s<>"'`\\[\]]*>/iy;
/** Allowed link targets: web pages, mail addresses, local files, and paths without a scheme. */
const harmless = new RegExp(
  String.raw`[ \t]*(?:${[
    autolink.source,
    String.raw`https?:\/\/`,
    'mailto:',
    String.raw`file:\/\/\/`,
    '#',
    String.raw`\.{0,2}\/(?!\/)`,
    // A path that neither is nor could become a scheme before its first slash.
    String.raw`(?=[^\s)/?#:&\\<]{1,200}(?:[\s)/?#]|$))`,
  ].join('|')})`,
  'iy',
);
const mathStart = /^([\s>\d.)+*-]*)\$\$/;
/**
 * A fence in a line that isn't code, which must be the head of a table: some renderers don't
 * support tables, or look for fences first.
 */
const fenceStart = /^([\s>\d.)+*-]*)(?=`{3}[^`]*$|~{3})/;

/**
 * Escapes a line outside of code blocks. `code`: the spans that are code whether or not a renderer
 * takes the paragraph for one; they are kept unchanged.
 */
export function escapedLine(line: string, code: readonly Span[]): string {
  let escaped = '';
  let spans = code;
  let at = 0;
  while (at < line.length) {
    const [span, ...others] = spans;
    if (span !== undefined && at >= span.start) {
      escaped += line.slice(at, span.end);
      at = span.end;
      spans = others;
      continue;
    }
    const kept = keptAt(line, at);
    escaped += kept ?? entities[line.charAt(at)] ?? '';
    at += kept?.length ?? 1;
  }
  return escaped.replace(mathStart, '$1\\$\\$').replace(fenceStart, '$1\\');
}

/**
 * Entities rather than backslashes, which renderers that autolink addresses can take for a part of
 * one.
 */
const entities: Readonly<Record<string, string>> = {
  '\\': '',
  '<': '&lt;',
  '!': '&#33;',
  '(': '&#40;',
  ']': '&#93;',
};

/** The text at a column that may stay; `undefined` for a character to be escaped. */
function keptAt(line: string, at: number): string | undefined {
  const next = line.charAt(at + 1);
  switch (line.charAt(at)) {
    case '\\':
      // The backslash is dropped before a character that becomes an entity.
      return isActive(line, at + 1) ? undefined : line.slice(at, at + 2);
    case '<':
      return isActive(line, at) ? matchAt(autolink, line, at) : '<';
    case '!':
      return isActive(line, at) ? undefined : '!';
    case ']':
      return next === ':' ? undefined : ']';
    case '(': {
      const isLink = line.charAt(at - 1) === ']';
      return isLink && matchAt(harmless, line, at + 1) === undefined ? undefined : '(';
    }
    default:
      return line.charAt(at);
  }
}

/** Whether a tag or an image may begin here. */
function isActive(line: string, at: number): boolean {
  const next = line.charAt(at + 1);
  const character = line.charAt(at);
  return character === '<' ? /[a-z/!?]/i.test(next) : character === '!' && next === '[';
}

function matchAt(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}

/**
 * Whether a backtick touches an address: renderers that autolink addresses may take it for a part
 * of one.
 */
export function hasMarkedAddress(text: string): boolean {
  return text
    .split(/\s+/)
    .some((word) => word.includes('`') && /:\/\/|www\.|@|mailto:|xmpp:/i.test(word));
}

interface Run {
  readonly index: number;
  readonly length: number;
}

/** The code spans of a text, as CommonMark finds them, including their backticks. */
export function codeSpans(text: string): readonly Span[] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({
    index: run.index,
    length: run[0].length,
  }));
  const closing = new ClosingRuns(runs);
  const spans: Span[] = [];
  let at = 0;
  for (const { index, length } of runs) {
    if (index < at) {
      continue;
    }
    // A backslash outside of code makes the first backtick a literal character.
    const skipped = isEscaped(text, index, at) ? 1 : 0;
    const close = closing.next(length - skipped, index + length);
    if (close !== undefined) {
      at = close.index + close.length;
      spans.push({ start: index + skipped, end: at });
    }
  }
  return spans;
}

/** Whether an odd number of backslashes, starting no earlier than `from`, precedes an index. */
function isEscaped(text: string, index: number, from: number): boolean {
  let start = index;
  while (start > from && text.charAt(start - 1) === '\\') {
    start -= 1;
  }
  return (index - start) % 2 === 1;
}

/** Runs of backticks by length; a query drops those before it, so `from` must not decrease. */
class ClosingRuns {
  readonly #byLength = new Map<number, Run[]>();

  constructor(runs: readonly Run[]) {
    for (const run of runs.toReversed()) {
      const alike = this.#byLength.get(run.length);
      if (alike === undefined) {
        this.#byLength.set(run.length, [run]);
      } else {
        alike.push(run);
      }
    }
  }

  /** The first run of this length that begins at `from` or later. */
  next(length: number, from: number): Run | undefined {
    const runs = this.#byLength.get(length) ?? [];
    while ((runs.at(-1)?.index ?? from) < from) {
      runs.pop();
    }
    return runs.at(-1);
  }
}
