import { cleanText } from './titles';

/** A line of Markdown as clean plain text of at most this length, without the marks; empty if it is only a mark. */
export function plainLine(line: string, maxLength: number): string {
  const text = line
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+/, '')
    .replace(/^\s*(?:`{3,}|~{3,}|[-*_=]{3,}).*$/, '')
    .replace(/[*_]{2}|`/g, '');
  return cleanText(text, maxLength);
}
