import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Longest formula within a line, in UTF-16 units: its end isn't looked for any further. */
const maxInline = 500;

/** The delimiters of formulas as models write them: those of LaTeX, and those of Markdown. */
const ends: Readonly<Record<string, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };

interface Formula {
  readonly source: string;
  /** Length with its delimiters. */
  readonly length: number;
}

/** Where a formula within a line stands, with its delimiters: the `meta` of its token. */
export interface FormulaPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Lets a Markdown parser find formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. The rules are those of
 * the field for a dollar: none after a letter or a digit begins a formula, none before one ends it,
 * and no blank stands beside it on its inner side, so that prices and variables stay text.
 */
export function findFormulas(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math_inline', (state, silent) => {
    const { src, pos, posMax } = state;
    const formula = findFormula(src.slice(pos, Math.min(posMax, pos + maxInline)), src[pos - 1]);
    if (formula === undefined) {
      return false;
    }
    if (!silent) {
      const token = state.push('math_inline', 'math', 0);
      token.content = formula.source;
      token.meta = { start: pos, end: pos + formula.length } satisfies FormulaPlace;
    }
    state.pos += formula.length;
    return true;
  });
  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, first, last, silent) => {
      const formula = findBlock(state, first, last);
      if (formula === undefined) {
        return false;
      }
      if (!silent) {
        const token = state.push('math_block', 'math', 0);
        token.content = formula.source;
        token.map = [first, formula.end];
      }
      state.line = formula.end;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}

/** Finds the formula at the beginning of a text that follows the character `before`. */
function findFormula(text: string, before = ' '): Formula | undefined {
  const begin = getBegin(text);
  const end = begin && ends[begin];
  const isDollar = begin?.startsWith('$');
  if (!begin || !end || (isDollar && /[\p{L}\p{N}$\\]/u.test(before))) {
    return undefined;
  }
  let at = text.indexOf(end, begin.length);
  while (at !== -1 && isEscaped(text, at)) {
    at = text.indexOf(end, at + 1);
  }
  const source = text.slice(begin.length, at);
  if (at === -1 || source.trim() === '') {
    return undefined;
  }
  const after = text[at + end.length] ?? '';
  if (isDollar && (source.trim() !== source || /[\p{L}\p{N}$]/u.test(after))) {
    return undefined;
  }
  return { source, length: at + end.length };
}

function getBegin(text: string): string | undefined {
  return Object.keys(ends).findLast((begin) => text.startsWith(begin));
}

/** Whether a backslash that isn't escaped itself stands before the place. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === '\\') {
    count++;
  }
  return count % 2 === 1;
}

interface BlockFormula {
  readonly source: string;
  /** The line after it. */
  readonly end: number;
}

/**
 * Finds a formula on lines of its own. A blank line ends the search, as it does in LaTeX, so that
 * delimiters without an end leave the rest of a message alone.
 */
function findBlock(state: StateBlock, first: number, last: number): BlockFormula | undefined {
  const begin = getBegin(getLine(state, first));
  const end = begin?.length === 2 && begin !== '\\(' ? ends[begin] : undefined;
  if (!begin || !end || getIndent(state, first) > 3) {
    return undefined;
  }
  let source = '';
  for (let line = first; line < last && getIndent(state, line) >= 0; line++) {
    const text = getLine(state, line).slice(line === first ? begin.length : 0);
    if (text.trim() === '' && line > first) {
      return undefined;
    }
    if (text.trimEnd().endsWith(end)) {
      source += text.trimEnd().slice(0, -end.length);
      return source.trim() === '' || source.includes(end) ? undefined : { source, end: line + 1 };
    }
    source += `${text}\n`;
  }
  return undefined;
}

function getLine({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

/** Columns by which a line is indented in the block that it is in; negative after the block's end. */
function getIndent({ sCount, blkIndent }: StateBlock, line: number): number {
  return (sCount[line] ?? 0) - blkIndent;
}
