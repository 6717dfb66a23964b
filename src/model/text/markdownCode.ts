import { terminalSequences } from '../../util/terminalSequences';
import { cleanText } from './titles';

/** Texts of others as pieces of Markdown in which nothing of them is markup. */

const controls = /(?![\t\n])\p{Cc}/gu;

/** A text as a code block, with a fence longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const clean = text
    .replace(/\r\n?/g, '\n')
    .replace(terminalSequences, '')
    .replace(controls, '')
    .replace(/\n$/, '');
  return `${fence}${language}\n${clean}\n${fence}`;
}

/** A text as a code span, cleaned and bounded. */
export function inlineCode(text: string, limit = 1000): string {
  const clean = cleanText(text, limit);
  if (clean === '') {
    return '';
  }
  const ticks = '`'.repeat(longestRun(clean) + 1);
  return ticks.length === 1 ? `\`${clean}\`` : `${ticks} ${clean} ${ticks}`;
}

/** A text as one line without any markup, cleaned and bounded. */
export function plain(text: string, limit = 200): string {
  return cleanText(text, limit).replace(/[\\`*_{}[\]<>#|~$&!]/g, (mark) =>
    // Renderers that autolink addresses can take a backslash for a part of one.
    mark === '<' ? '&lt;' : `\\${mark}`,
  );
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
