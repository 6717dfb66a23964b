/** What a person looks for. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
}

/** Longest text that is looked for. */
export const longestQuery = 1000;
/** Compiling can't be interrupted, and a long pattern can take the whole process down: those aren't run. */
export const longestPattern = 500;

const wordCharacter = String.raw`[\p{Alphabetic}\p{M}\p{N}_]`;
/** Anywhere but between two characters of one word. */
const wordEdge = `(?:(?<!${wordCharacter})|(?!${wordCharacter}))`;

/** Source and flags of the regular expression that finds it; the source of a person's own may be invalid. */
export function patternOf(query: FindQuery): { readonly source: string; readonly flags: string } {
  const source = query.isPattern
    ? query.text
    : query.text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return {
    source: query.wholeWord ? `${wordEdge}(?:${source})${wordEdge}` : source,
    flags: query.matchCase ? 'gmu' : 'gimu',
  };
}
