/** Makes text from agents and files safe to display: it is always treated as data, whatever it contains. */

/** Control characters, including terminal sequences, and characters that reverse text or are invisible. */
const hidden =
  /(?![\n\t])\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text on a single line, cut to about `limit` UTF-16 units. */
export function oneLine(text: string, limit: number): string {
  const line = cut(text, limit * 4)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .trim();
  return line.length > limit ? `${cut(line, limit)}…` : line;
}

/** The text with its line breaks, cut to `limit` UTF-16 units. */
export function cleanLines(text: string, limit: number): string {
  return cut(text, limit).replace(/\r\n?/g, '\n').replace(hidden, '');
}

/** The text as a Markdown code block, with a fence that the text can't close. */
export function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[A-Za-z0-9]{1,20}$/.test(language) ? language : 'text'}\n${text}\n${fence}`;
}

function cut(text: string, units: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(units - 1)) ? units - 1 : units;
  return text.slice(0, end);
}
