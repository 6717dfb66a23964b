import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { findFormulas } from '../../shared/mathRules';

/** A top-level block of a Markdown text: a paragraph, a list, a fence, … */
export interface MarkdownBlock {
  /** Stable as the text grows. */
  readonly key: number;
  readonly tokens: readonly Token[];
  /** Whether more text may still change this block. */
  readonly open: boolean;
}

/** Deepest nesting of lists and quotes; content nested deeper is omitted. */
export const deepestBlock = 50;

/**
 * CO-1, T-24: raw HTML stays text. Links aren't filtered here: whether one may be opened is decided
 * where it is drawn.
 */
const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: deepestBlock });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Never opened anyway, and linkify-it 6.1.0 takes quadratic time for `//a.b/`: 20 s for 100 KB.
parser.linkify.add('//', null).add('ftp:', null);
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;
findFormulas(parser);

/**
 * Appended text can still continue the last block, or merge it with the previous one (`1` becomes
 * `1.`).
 */
const openBlocks = 2;

/**
 * Incrementally parses a growing text. Blocks that later text can't change are parsed once and keep
 * their identity, so a message of n characters costs O(n) however many chunks it arrives in. A text
 * that isn't a continuation is parsed from scratch.
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
      // A new reference definition also changes links above it.
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

  /** Parses the tail, commits the closed blocks and returns those that are still open. */
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
