import { withoutSecrets } from '../../util/secrets/secretText';
import { terminalSequences } from '../../util/terminalSequences';
import { cleanText } from '../text/titles';

/** The parts of a line printed during a login that the user gets. */
export interface PrintedLine {
  /** A single sanitized line without secrets, in which addresses end with their path; may be empty. */
  readonly words: string;
  /** The first web address, ready to be opened; absent when the line has no complete one. */
  readonly address?: string;
}

/** Maximum lengths, in UTF-16 units: `maxWordsLength` fit into a notification. */
const maxWordsLength = 200;
const maxLineLength = 8192;
/** The part of a line that is searched for secrets and shown, in UTF-16 units. */
const maxReadLength = 1000;

/** Ends at white space, or at quotes or brackets that surround an address. */
const address = /https:\/\/[^\s"'`<>\\^{|}]+/i;
const addresses = /(https?:\/\/[^\s"'`<>\\^{|}?#]+)[?#][^\s"'`<>\\^{|}]*/gi;
/** Characters that end a sentence or close a bracket after an address, and aren't part of it. */
const trailing = new Set('.,;:!?)]*_');
/** The line has words, not only line art. */
const hasWords = /[\p{L}\p{N}]/u;

/** A loop, because a regular expression would take quadratic time on a long run of such characters. */
function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && trailing.has(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

/** Parses a line that an agent has printed; accepts any input. */
export function readPrintedLine(line: string): PrintedLine {
  const text = line.slice(0, maxLineLength).replace(terminalSequences, '');
  // Only the user's browser gets the part after the path: it holds codes, states and the like.
  const short = text.slice(0, maxReadLength).replace(addresses, '$1?…');
  const words = cleanText(withoutSecrets(short), maxWordsLength);
  const found = withoutTrailing(address.exec(text)?.[0] ?? '');
  // A truncated line has lost its end, and possibly the end of an address.
  const isWhole = found !== '' && !found.includes('…') && line.length < maxLineLength;
  return { words: hasWords.test(words) ? words : '', ...(isWhole && { address: found }) };
}
