import { maxMention } from '../../shared/transcript/validators';

/** A line, a line and a column, or several lines: `:12`, `:12:5`, `:12-15`, `#L12-L15`. */
const lines = String.raw`(?::\d{1,7}(?:[:–-]\d{1,7})?|#L\d{1,7}(?:[–-]L?\d{1,7})?)?`;
/** A path that may name a file: with a folder or an extension, and optionally lines. */
const path = String.raw`(?:\.{1,2}/|/)?(?:[\p{L}\p{N}_@+.-]{1,100}/){0,20}[\p{L}\p{N}_@+-][\p{L}\p{N}_@+.-]{0,100}${lines}`;
const ending = new RegExp(String.raw`[\p{L}\p{N}_-]\.[A-Za-z]\w{0,9}${lines}$`, 'u');
const whole = new RegExp(`^${path}$`, 'u');
const inText = new RegExp(String.raw`(?<![\p{L}\p{N}_/.:@-])${path}(?![\p{L}\p{N}_/@-])`, 'gu');

/** Whether inline code may name a file. */
export function mayBeFile(code: string): boolean {
  return code.length <= maxMention && whole.test(code) && (code.includes('/') || hasEnding(code));
}

/**
 * Splits a text so that the pieces at odd positions may name files. Only paths with both a folder
 * and an extension count.
 */
export function splitMentions(text: string): readonly string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(inText)) {
    const [found] = match;
    const mention = found.replace(/\.+$/, '');
    if (mention.length <= maxMention && mention.includes('/') && hasEnding(mention)) {
      pieces.push(text.slice(end, match.index), mention);
      end = match.index + mention.length;
    }
  }
  return [...pieces, text.slice(end)];
}

function hasEnding(mention: string): boolean {
  return ending.test(mention);
}

/** Whether a link of a message names lines of a file. */
export function namesLines(href: string): boolean {
  return !/^(?:https?|mailto):/i.test(href) && /[^:/\\](?::\d{1,7}|#L\d{1,7})/i.test(href);
}
