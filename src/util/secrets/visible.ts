import { terminalSequences } from '../terminalSequences';
import { type Finder, hidden, type Span, withoutSpans } from './spans';

/** As JSON and shells write the beginning of a color. */
const escaped = String.raw`\\(?:u001b|x1b|033)\[[\d;]*m`;
const unseen = new RegExp(
  String.raw`${escaped}|${terminalSequences.source}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|(?!\s)\p{Cc}`,
  'gu',
);
/** Most texts are nothing but letters, digits and signs. */
const mayHaveUnseen = /[^\t\n\r -~]|\\(?:u001b|x1b|033)\[/;

/** The text without what the finder finds in it; without all of it if the finder fails. */
export function withoutFound(text: string, find: Finder): string {
  try {
    return withoutSpans(text, foundIn(text, find));
  } catch {
    return hidden;
  }
}

/**
 * What the finder finds in a text, and in what is seen of it: colors of a terminal and invisible characters may stand
 * in the middle of a secret or next to it.
 */
function* foundIn(text: string, find: Finder): Iterable<Span> {
  yield* find(text);
  if (!mayHaveUnseen.test(text)) {
    return;
  }
  const { seen, starts, gaps } = seenOf(text);
  if (gaps.length === 0) {
    return;
  }
  for (const { start, end } of find(seen)) {
    yield { start: placeOf(start, starts, gaps), end: placeOf(end - 1, starts, gaps) + 1 };
  }
}

interface Seen {
  readonly seen: string;
  /** Where what follows a gap begins in `seen`, ascending. */
  readonly starts: readonly number[];
  /** How many units are left out up to there. */
  readonly gaps: readonly number[];
}

function seenOf(text: string): Seen {
  const parts: string[] = [];
  const starts: number[] = [];
  const gaps: number[] = [];
  let end = 0;
  let gap = 0;
  for (const { 0: sequence, index } of text.matchAll(unseen)) {
    parts.push(text.slice(end, index));
    end = index + sequence.length;
    gap += sequence.length;
    starts.push(end - gap);
    gaps.push(gap);
  }
  return { seen: parts.join('') + text.slice(end), starts, gaps };
}

/** Where this unit of what is seen stands in the text. */
function placeOf(at: number, starts: readonly number[], gaps: readonly number[]): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return at + (gaps[low - 1] ?? 0);
}
