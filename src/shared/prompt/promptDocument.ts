import { type FrontMatter, readFrontMatter } from './promptFrontMatter';
import { type MentionTarget, readMention } from './promptMention';

/**
 * A prompt written in an editor: Markdown with optional front matter, a slash command at its start,
 * and mentions of files. Parsing takes linear time for any input.
 */

/** The longest prompt, in UTF-16 units. Longer texts aren't parsed. */
export const maxPromptLength = 1_000_000;

/** Offsets in the text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of the text. Concatenated in order, the segments make up the whole text. */
export type Segment = Span &
  (
    | { readonly kind: 'text' | 'frontMatter' }
    /** `/name` at the start of the sent text (CM-2). */
    | { readonly kind: 'command'; readonly name: string }
    | { readonly kind: 'mention'; readonly target: MentionTarget }
    /** `![alt](path)` with the path of a file to attach. */
    | { readonly kind: 'image'; readonly alt: string; readonly path: string }
    /** `<!-- … -->`, never sent; an unclosed one extends to the end. */
    | { readonly kind: 'comment'; readonly isClosed: boolean }
    /** `${1:name}`, a gap to fill in. */
    | { readonly kind: 'placeholder'; readonly number: number; readonly name: string }
  );

export type SegmentOf<K extends Segment['kind']> = Extract<Segment, { kind: K }>;

/** A heading; its span covers the whole line. */
export interface Heading extends Span {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
}

export interface PromptDocument {
  readonly text: string;
  readonly frontMatter: FrontMatter | undefined;
  readonly segments: readonly Segment[];
  readonly headings: readonly Heading[];
  /** Fenced code including its fences; everything in it is plain text. */
  readonly fences: readonly Span[];
}

const fenceStart = / {0,3}(?:(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*)(?:\r?\n|$)/y;
const heading = / {0,3}(#{1,6})(?:[ \t]+([^\r\n]*))?(?:\r?\n|$)/y;
const image =
  /!\[([^[\]\r\n]{0,500})\]\((?:<([^<>\r\n]{1,4096})>|([^\s()<>]{1,4096}))(?:[ \t]{1,100}"[^"\r\n]{0,500}")?\)/y;
const placeholder = /\$\{(\d{1,3})(?::([^{}\r\n]{0,200}))?\}/y;
/** Two slashes start a path or a comment, not a command. */
const command = /[/／]([^\s/]\S{0,199})(?!\S)/y;
const special = /[\\`<!$@＠\n]/g;
const escaped = /[\\`<!$@＠]/;
/** A URL rather than a path; a single letter is a drive. */
const address = /^[A-Za-z][A-Za-z0-9+.-]+:/;

export function parsePrompt(text: string): PromptDocument {
  return new Parser(text).parse();
}

/** The segments of one kind, in order. */
export function getSegments<K extends Segment['kind']>(
  { segments }: PromptDocument,
  kind: K,
): readonly SegmentOf<K>[] {
  return segments.filter((segment): segment is SegmentOf<K> => segment.kind === kind);
}

class Parser {
  readonly #text: string;
  readonly #segments: Segment[] = [];
  readonly #headings: Heading[] = [];
  readonly #fences: Span[] = [];
  /** End of the last segment added. */
  #last = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PromptDocument {
    const text = this.#text;
    const frontMatter = readFrontMatter(text);
    if (frontMatter !== undefined) {
      this.#add({ kind: 'frontMatter', start: 0, end: frontMatter.end });
    } else if (text.startsWith('\ufeff')) {
      this.#at = 1;
    }
    this.#readStart();
    while (this.#at < text.length) {
      this.#readLine();
    }
    this.#addText(text.length);
    return {
      text,
      frontMatter,
      segments: this.#segments,
      headings: this.#headings,
      fences: this.#fences,
    };
  }

  /**
   * Skips blanks and comments before the sent text, and reads a command, which can only be at its
   * start.
   */
  #readStart(): void {
    const begin = this.#at;
    this.#skipBlanks();
    while (this.#text.startsWith('<!--', this.#at)) {
      this.#readComment();
      this.#skipBlanks();
    }
    const name = this.#match(command)?.[1];
    if (name !== undefined) {
      this.#add({ kind: 'command', name, start: this.#at, end: this.#at + 1 + name.length });
      this.#readInline();
      return;
    }
    const line = this.#text.lastIndexOf('\n', this.#at - 1) + 1;
    if (line >= this.#last) {
      // Indentation matters for headings and fences, so go back to the start of the line.
      this.#at = Math.max(line, begin);
    } else {
      this.#readInline();
    }
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text.charAt(this.#at))) {
      this.#at++;
    }
  }

  /** Reads from the start of a line to the start of another one. */
  #readLine(): void {
    const fence = this.#match(fenceStart);
    if (fence) {
      this.#readFence(fence[0].length, fence[1] ?? fence[2] ?? '');
      return;
    }
    const found = this.#match(heading);
    if (found) {
      this.#headings.push({
        start: this.#at,
        end: this.#at + found[0].trimEnd().length,
        level: found[1]?.length ?? 1,
        title: withoutClosing((found[2] ?? '').trim()),
      });
    }
    this.#readInline();
  }

  #readFence(opening: number, marks: string): void {
    const start = this.#at;
    let at = start + opening;
    let end = this.#text.length;
    while (at < this.#text.length) {
      const next = lineAfter(this.#text, at);
      if (closesFence(this.#text, at, next, marks)) {
        end = next;
        break;
      }
      at = next;
    }
    this.#fences.push({ start, end });
    this.#at = end;
  }

  /** Reads the rest of a line; if a comment starts in it, also the rest of the line in which that ends. */
  #readInline(): void {
    // Lengths of backtick runs that have no closing run in the rest of this line.
    const unclosed = new Set<number>();
    for (;;) {
      special.lastIndex = this.#at;
      const found = special.exec(this.#text);
      this.#at = found?.index ?? this.#text.length;
      switch (found?.[0]) {
        case undefined:
          return;
        case '\n':
          this.#at++;
          return;
        case '\\':
          this.#at += escaped.test(this.#text.charAt(this.#at + 1)) ? 2 : 1;
          break;
        case '`':
          this.#readCode(unclosed);
          break;
        default:
          this.#readSpecial();
      }
    }
  }

  #readCode(unclosed: Set<number>): void {
    const ticks = /`+/y;
    ticks.lastIndex = this.#at;
    const length = ticks.exec(this.#text)?.[0].length ?? 1;
    const after = this.#at + length;
    this.#at = after;
    if (unclosed.has(length)) {
      return;
    }
    const runs = /`+|\n/g;
    runs.lastIndex = after;
    for (let run = runs.exec(this.#text); run && run[0] !== '\n'; run = runs.exec(this.#text)) {
      if (run[0].length === length) {
        this.#at = runs.lastIndex;
        return;
      }
    }
    unclosed.add(length);
  }

  #readSpecial(): void {
    const start = this.#at;
    if (this.#text.startsWith('<!--', start)) {
      this.#readComment();
      return;
    }
    const mention = readMention(this.#text, start);
    if (mention) {
      this.#add({ kind: 'mention', ...mention });
      return;
    }
    const picture = this.#match(image);
    const path = picture?.[2] ?? picture?.[3];
    if (picture && path !== undefined && !address.test(path)) {
      const end = start + picture[0].length;
      this.#add({ kind: 'image', alt: picture[1] ?? '', path, start, end });
      return;
    }
    const gap = this.#match(placeholder);
    if (gap) {
      const end = start + gap[0].length;
      this.#add({ kind: 'placeholder', number: Number(gap[1]), name: gap[2] ?? '', start, end });
      return;
    }
    this.#at++;
  }

  #readComment(): void {
    const start = this.#at;
    const closing = this.#text.indexOf('-->', start + 4);
    const isClosed = closing !== -1;
    this.#add({
      kind: 'comment',
      isClosed,
      start,
      end: isClosed ? closing + 3 : this.#text.length,
    });
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #add(segment: Segment): void {
    this.#addText(segment.start);
    this.#segments.push(segment);
    this.#last = segment.end;
    this.#at = segment.end;
  }

  #addText(end: number): void {
    if (end > this.#last) {
      this.#segments.push({ kind: 'text', start: this.#last, end });
      this.#last = end;
    }
  }
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function closesFence(text: string, start: number, end: number, marks: string): boolean {
  // A closing line is short; the limit keeps long lines of code from being slow.
  const line = text.slice(start, Math.min(end, start + marks.length + 1_000));
  const indent = /^ {0,3}/.exec(line)?.[0].length ?? 0;
  const closing = line.slice(indent).trimEnd();
  const mark = marks.charAt(0);
  return closing.length >= marks.length && closing === mark.repeat(closing.length);
}

/** A heading may end with a run of `#`. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 0 && title.charAt(end - 1) === '#') {
    end--;
  }
  return end === 0 || /\s/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title;
}
