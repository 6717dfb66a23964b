/** What the user looks for. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
}

/** Longest text to look for, in UTF-16 units. */
export const longestQuery = 1000;
/** Compiling can't be interrupted, and a long pattern can take the whole process down, so longer ones aren't run. */
export const longestPattern = 500;

const wordCharacter = String.raw`[\p{Alphabetic}\p{M}\p{N}_]`;
/** Matches everywhere except between two characters of a word. */
const wordEdge = `(?:(?<!${wordCharacter})|(?!${wordCharacter}))`;

/** Source and flags of the regular expression for a query; the source of the user's own pattern may be invalid. */
export function patternOf(query: FindQuery): { readonly source: string; readonly flags: string } {
  const source = query.isPattern
    ? query.text
    : query.text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return {
    source: query.wholeWord ? `${wordEdge}(?:${source})${wordEdge}` : source,
    flags: query.matchCase ? 'gmu' : 'gimu',
  };
}
