import { withoutLikelySecrets } from '../../util/secretText';
import { cleanText, terminalSequences } from '../text/titles';

/** What a line that an agent prints while a person signs in holds for them. */
export interface PrintedLine {
  /** One clean line without secrets, in which addresses end with their path; may be empty. */
  readonly words: string;
  /** The first web address, as it is to be opened; absent when none is there whole. */
  readonly address?: string;
}

/** Of a line, in UTF-16 units: `longestWords` fit into a notification. */
const longestWords = 200;
const longestLine = 8192;
/** Of a line, what becomes words: secrets are looked for in no more. */
const longestRead = 1000;

/** Up to white space, quotes and brackets that surround an address. */
const address = /https:\/\/[^\s"'`<>\\^{|}]+/i;
const addresses = /(https?:\/\/[^\s"'`<>\\^{|}?#]+)[?#][^\s"'`<>\\^{|}]*/gi;
/** What ends a sentence or a bracket around an address, and is no part of it. */
const trailing = new Set('.,;:!?)]*_');
/** Something is said, and not only drawn. */
const hasWords = /[\p{L}\p{N}]/u;

/** By hand: a pattern would look at a long row of them again and again. */
function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && trailing.has(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

/** Reads a line of an agent's, which may be anything. */
export function readPrintedLine(line: string): PrintedLine {
  const text = line.slice(0, longestLine).replace(terminalSequences, '');
  // Only a person's browser gets what stands behind the path: codes, states and the like.
  const short = text.slice(0, longestRead).replace(addresses, '$1?…');
  const words = cleanText(withoutLikelySecrets(short), longestWords);
  const found = withoutTrailing(address.exec(text)?.[0] ?? '');
  // The end of a line that was cut is missing, and with it the end of an address there.
  const isWhole = found !== '' && !found.includes('…') && line.length < longestLine;
  return { words: hasWords.test(words) ? words : '', ...(isWhole && { address: found }) };
}
