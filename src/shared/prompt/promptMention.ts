import { isContextWord } from './contextWords';

/** A range of lines in a file, 1-based and inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The target of a mention. A path is kept as written: relative or absolute, with either kind of slash. */
export type MentionTarget =
  | { readonly kind: 'file'; readonly path: string; readonly lines?: LineRange }
  | { readonly kind: 'symbol'; readonly name: string }
  /** `word` is what is written after `@`. */
  | { readonly kind: 'context'; readonly word: string };

export interface ReadMention {
  readonly target: MentionTarget;
  readonly start: number;
  readonly end: number;
}

/** Text of languages that are written without spaces, with its punctuation. */
const asian = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef`;
/** What starts a mention and where, as a pattern with the flag `u`; `＠` is what input methods make of `@`. */
export const mentionMark = String.raw`(?<=^|[\s(\[{"'\x60${asian}])[@＠]`;

const mark = new RegExp(mentionMark, 'uy');
const bracketed = /[@＠]<([^<>\r\n]{1,4096})>(?:#L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?)?/y;
/** Punctuation of text without spaces ends a path that isn't in brackets. */
const bare = /[@＠]([^\s@＠<>、。，；：！？（）［］｛｝「」『』【】《》“”‘’]{1,4096})/y;
const lineSuffix = /#L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?$/;
const writtenBare = /^[\p{L}\p{N}_~$%&+=./\\-][\p{L}\p{N}_~$%&+=.()[\]/\\-]*$/u;
const punctuation = '.,;:!?)]}"\'`…';

/**
 * Reads the mention that starts at `start`: `@path`, `@path#L10-20`, `@#symbol`, `@problems`, or, for any path,
 * `@<path>` and `@<path>#L10-20`, also with fullwidth marks. Trailing punctuation and closing brackets aren't part of it.
 */
export function readMention(text: string, start: number): ReadMention | undefined {
  mark.lastIndex = start;
  if (!mark.test(text)) {
    return undefined;
  }
  bracketed.lastIndex = start;
  const inBrackets = bracketed.exec(text);
  if (inBrackets) {
    const [whole, path = '', first, last] = inBrackets;
    return { target: fileTarget(path, first, last), start, end: start + whole.length };
  }
  bare.lastIndex = start;
  const written = withoutPunctuation(bare.exec(text)?.[1] ?? '');
  const target = bareTarget(written);
  return target && { target, start, end: start + 1 + written.length };
}

/** A mention as agents read it, without fullwidth marks. */
export function withPlainMarks(mention: string): string {
  return mention.replace('＠', '@').replace(/^@＃/, '@#');
}

/** Formats a mention of a file or folder; `undefined` if no mention can express its path. */
export function mentionText(path: string, lines?: LineRange): string | undefined {
  if (path === '' || path.length > 4_096 || /[<>\r\n]/.test(path)) {
    return undefined;
  }
  const isPlain =
    writtenBare.test(path) && withoutPunctuation(path) === path && !isContextWord(path);
  return `@${isPlain ? path : `<${path}>`}${lines === undefined ? '' : getSuffix(lines)}`;
}

function bareTarget(written: string): MentionTarget | undefined {
  if (/^[#＃]/.test(written)) {
    const name = written.slice(1);
    return name === '' ? undefined : { kind: 'symbol', name };
  }
  if (isContextWord(written)) {
    return { kind: 'context', word: written };
  }
  const suffix = lineSuffix.exec(written.slice(-25));
  const path = suffix ? written.slice(0, -suffix[0].length) : written;
  return path === '' ? undefined : fileTarget(path, suffix?.[1], suffix?.[2]);
}

function fileTarget(path: string, first: string | undefined, last: string | undefined) {
  const target = { kind: 'file', path } as const;
  if (first === undefined) {
    return target;
  }
  const ends = [Number(first), Number(last ?? first)] as const;
  return { ...target, lines: { first: Math.min(...ends), last: Math.max(...ends) } };
}

/** The lines as the fragment of a file's URI: `#L3`, or `#L3-L5`. */
export function getLineFragment({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}

function getSuffix({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-${last}`;
}

function withoutPunctuation(written: string): string {
  let end = written.length;
  while (end > 0 && punctuation.includes(written.charAt(end - 1))) {
    end--;
  }
  return written.slice(0, end);
}
