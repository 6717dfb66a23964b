import { escapeRegExp } from '../../util/escapeRegExp';

/** A search in a transcript. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Whether the text is a regular expression. */
  readonly isPattern: boolean;
}

/** Longest search text, in UTF-16 units. */
export const maxFindQueryLength = 1000;
/**
 * Longer patterns aren't run: compiling can't be interrupted, and a long pattern can bring down the
 * whole process.
 */
export const maxPatternLength = 500;

const wordCharacter = String.raw`[\p{Alphabetic}\p{M}\p{N}_]`;
/** Matches everywhere except between two word characters. */
const wordEdge = `(?:(?<!${wordCharacter})|(?!${wordCharacter}))`;

/**
 * Source and flags of a query's regular expression; the source may be invalid if it is the user's
 * own pattern.
 */
export function getPattern(query: FindQuery): { readonly source: string; readonly flags: string } {
  const source = query.isPattern ? query.text : escapeRegExp(query.text);
  return {
    source: query.wholeWord ? `${wordEdge}(?:${source})${wordEdge}` : source,
    flags: query.matchCase ? 'gmu' : 'gimu',
  };
}
