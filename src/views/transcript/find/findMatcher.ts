import vm from 'node:vm';
import { type FindQuery, getPattern, maxPatternLength } from '../../../shared/transcript/findQuery';

/** Time limits of a pattern for one batch, in ms: most take less than 1. A second attempt may take longer. */
const patternMs = 30;
const maxSearchMs = 200;
/** The length of a piece of text, which is searched without a break. */
const pieceLength = 65_536;
/** The length by which a match that starts in a piece may extend past its end. */
const overlap = 2000;
/** The length of the text before a piece, for lookbehind assertions. */
const lookback = 64;

/** A text to search for matches that start at or after `from` and before `end`. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly end: number;
}

/** `invalid`: not a regular expression. `long`: too long to run. `slow`: it timed out. */
export type PatternFault = 'invalid' | 'long' | 'slow';

const count = new vm.Script(`
  (({ pattern, pieces }) => pieces.map(({ text, from, end }) => {
    let matches = 0;
    pattern.lastIndex = from;
    let match = pattern.exec(text);
    while (match !== null && match.index < end) {
      if (match[0] === '') {
        pattern.lastIndex = match.index + (text.codePointAt(match.index) > 0xffff ? 2 : 1);
      } else {
        matches++;
      }
      match = pattern.exec(text);
    }
    return matches;
  }))(globalThis)`);

const place = new vm.Script(`
  (({ pattern, pieces, most }) => pieces.map(({ text }) => {
    const spans = [];
    for (const match of text.matchAll(pattern)) {
      if (spans.length >= most) {
        break;
      }
      if (match[0] !== '') {
        spans.push(match.index, match.index + match[0].length);
      }
    }
    return spans;
  }))(globalThis)`);

/** A pattern is only compiled when it is used. */
const compile = new vm.Script('globalThis.pattern = new RegExp(source, flags); pattern.test("")');

/** Searches for one query. A time limit stops patterns that backtrack catastrophically. */
export class FindMatcher {
  readonly fault: PatternFault | undefined;
  readonly #isPattern: boolean;
  readonly #context: vm.Context;
  /**
   * For a query that isn't a pattern: its cost is linear, so it needs no time limit, and it runs
   * faster here.
   */
  readonly #plain: RegExp | undefined;
  readonly #length: number;

  constructor(query: FindQuery) {
    this.#isPattern = query.isPattern;
    this.#length = query.text.length;
    const { source, flags } = getPattern(query);
    this.#plain = query.isPattern || query.text === '' ? undefined : new RegExp(source, flags);
    this.#context = vm.createContext(
      Object.assign(Object.create(null) as object, getPattern(query)),
    );
    this.fault =
      query.isPattern && query.text.length > maxPatternLength
        ? 'long'
        : findFault(() => {
            compile.runInContext(this.#context, { timeout: maxSearchMs });
          });
  }

  /** The number of matches that start in each of the pieces. */
  count(pieces: readonly Piece[]): readonly number[] | PatternFault {
    if (this.#plain !== undefined) {
      return countPlain(this.#plain, this.#length, pieces);
    }
    return this.#run(count, { pieces }) as readonly number[] | PatternFault;
  }

  /**
   * The start and end offsets of the matches, in one list for each text; at most `most` numbers per
   * text.
   */
  place(texts: readonly string[], most: number): readonly (readonly number[])[] | PatternFault {
    const pieces = texts.map((text) => ({ text }));
    return this.#run(place, { pieces, most }) as readonly (readonly number[])[] | PatternFault;
  }

  #run(script: vm.Script, values: object): unknown {
    Object.assign(this.#context, values);
    let result: unknown;
    const run = (timeout?: number) => (): void => {
      result = script.runInContext(this.#context, timeout === undefined ? {} : { timeout });
    };
    // The cost of a plain text is linear; a time limit costs a thread.
    if (!this.#isPattern) {
      return findFault(run()) ?? result;
    }
    // A busy machine can use up the time, so a pattern is only slow if it times out twice.
    const first = findFault(run(patternMs));
    return (first === 'slow' ? findFault(run(maxSearchMs)) : first) ?? result;
  }
}

/** `test` creates no object for each match; all matches of a text have its length. */
function countPlain(pattern: RegExp, length: number, pieces: readonly Piece[]): readonly number[] {
  return pieces.map(({ text, from, end }) => {
    let matches = 0;
    pattern.lastIndex = from;
    while (pattern.test(text) && pattern.lastIndex - length < end) {
      matches++;
    }
    return matches;
  });
}

function findFault(run: () => void): PatternFault | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    // All errors except a syntax error mean that the pattern needs too much: time, or space to backtrack.
    return isNamed(error) && error.name === 'SyntaxError' ? 'invalid' : 'slow';
  }
}

/** Errors from another context aren't instances of ours. */
function isNamed(error: unknown): error is { readonly name: unknown } {
  return typeof error === 'object' && error !== null && 'name' in error;
}

/** Splits a text into pieces that each take little time, at ends of lines where possible. */
export function* getPieces(text: string): Generator<Piece> {
  let start = 0;
  while (text.length - start > pieceLength) {
    const lineEnd = text.lastIndexOf('\n', start + pieceLength);
    const end = lineEnd > start + pieceLength / 2 ? lineEnd + 1 : start + pieceLength;
    const before = Math.max(0, start - lookback);
    yield { text: text.slice(before, end + overlap), from: start - before, end: end - before };
    start = end;
  }
  const before = Math.max(0, start - lookback);
  yield { text: text.slice(before), from: start - before, end: Infinity };
}
