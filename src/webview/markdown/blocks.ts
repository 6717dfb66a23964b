import MarkdownIt, { type Env, type Token } from 'markdown-it';

/** One top-level block of a Markdown text: a paragraph, a list, a fence, … */
export interface MarkdownBlock {
  /** Stays the same as the text grows. */
  readonly key: number;
  readonly tokens: readonly Token[];
  /** More text may still change this block. */
  readonly open: boolean;
}

/** Lists and quotes within each other; what is inside of the last one is left out. */
export const deepestBlock = 50;

/** CO-1, T-24: raw HTML stays text. What may be opened is decided where links are drawn, so none is dropped here. */
const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: deepestBlock });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Never opened anyway, and `//a.b/` takes linkify-it 6.1.0 time that grows with the square of the text: 20 s for 100 KB.
parser.linkify.add('//', null).add('ftp:', null);
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;

/** What is appended can still join the last block, or join it with the one before (`1` becomes `1.`). */
const openBlocks = 2;

/**
 * Parses a text that grows at its end. Blocks that later text can't change are parsed once and
 * handed out as the same objects again, so a message of n characters costs n however many pieces it
 * comes in. A text that isn't a continuation is parsed anew.
 */
export class MarkdownBlocks {
  #env: Env = {};
  #committed: MarkdownBlock[] = [];
  #committedText = '';
  #nextKey = 0;
  #source = '';
  #blocks: readonly MarkdownBlock[] = [];

  update(source: string): readonly MarkdownBlock[] {
    if (source === this.#source) {
      return this.#blocks;
    }
    this.#source = source;
    const text = source.replace(/\r\n?/g, '\n');
    if (!text.startsWith(this.#committedText)) {
      this.#reset();
    }
    const references = this.#countReferences();
    let tail = this.#parse(text.slice(this.#committedText.length));
    if (this.#committed.length > 0 && this.#countReferences() !== references) {
      // A definition also changes the links above it.
      this.#reset();
      tail = this.#parse(text);
    }
    this.#blocks = [...this.#committed, ...tail];
    return this.#blocks;
  }

  #reset(): void {
    this.#env = {};
    this.#committed = [];
    this.#committedText = '';
    this.#nextKey = 0;
  }

  #countReferences(): number {
    return Object.keys(this.#env.references ?? {}).length;
  }

  /** Parses the tail, commits what is closed and returns the blocks that are still open. */
  #parse(tail: string): MarkdownBlock[] {
    const groups = topLevelGroups(parser.parse(tail, this.#env));
    const closed = Math.max(0, groups.length - openBlocks);
    const firstOpenLine = groups[closed]?.[0]?.map?.[0];
    if (closed > 0 && firstOpenLine !== undefined) {
      this.#committedText += tail.slice(0, offsetOfLine(tail, firstOpenLine));
      for (const tokens of groups.slice(0, closed)) {
        this.#committed.push({ key: this.#nextKey++, tokens, open: false });
      }
    }
    return groups
      .slice(closed)
      .map((tokens, index) => ({ key: this.#nextKey + index, tokens, open: true }));
  }
}

function topLevelGroups(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let group: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    group.push(token);
    depth += token.nesting;
    if (depth === 0) {
      groups.push(group);
      group = [];
    }
  }
  return groups;
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed++) {
    offset = text.indexOf('\n', offset) + 1;
  }
  return offset;
}
