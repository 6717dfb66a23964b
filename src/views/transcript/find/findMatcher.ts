import vm from 'node:vm';
import { type FindQuery, longestPattern, patternOf } from '../../../shared/transcript/findQuery';

/** Longest that a pattern may take with one batch, in ms: others take less than one. A second try may take longer. */
const patternMs = 30;
const longestMs = 200;
/** Characters of one piece of a text, which are looked through without a break. */
const pieceLength = 65_536;
/** A match that begins in a piece may go on for so long behind its end. */
const overlap = 2000;
/** Of what is before a piece, for what a pattern wants to see there. */
const lookback = 64;

/** Where matches are looked for: those that begin from `from` on and before `end`. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly end: number;
}

/** `invalid`: no regular expression. `long`: more than we run. `slow`: it ran out of time. */
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

/** A pattern is only made ready by being used. */
const compile = new vm.Script('globalThis.pattern = new RegExp(source, flags); pattern.test("")');

/** Looks for one query. A pattern that explodes is ended by a time limit, whatever it is. */
export class FindMatcher {
  readonly fault: PatternFault | undefined;
  readonly #isPattern: boolean;
  readonly #context: vm.Context;
  /** For a text, which takes no longer than it is long: it needs no time limit, and runs faster here. */
  readonly #plain: RegExp | undefined;
  readonly #length: number;

  constructor(query: FindQuery) {
    this.#isPattern = query.isPattern;
    this.#length = query.text.length;
    const { source, flags } = patternOf(query);
    this.#plain = query.isPattern || query.text === '' ? undefined : new RegExp(source, flags);
    this.#context = vm.createContext(
      Object.assign(Object.create(null) as object, patternOf(query)),
    );
    this.fault =
      query.isPattern && query.text.length > longestPattern
        ? 'long'
        : faultOf(() => {
            compile.runInContext(this.#context, { timeout: longestMs });
          });
  }

  /** How many matches begin in each of these pieces. */
  count(pieces: readonly Piece[]): readonly number[] | PatternFault {
    if (this.#plain !== undefined) {
      return countPlain(this.#plain, this.#length, pieces);
    }
    return this.#run(count, { pieces }) as readonly number[] | PatternFault;
  }

  /** Begin and end of each match in each text, one after the other; at most so many numbers a text. */
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
    // A plain text takes no longer than it is long; a limit costs a thread.
    if (!this.#isPattern) {
      return faultOf(run()) ?? result;
    }
    // A busy machine can take that time away: only who is late twice is slow.
    const first = faultOf(run(patternMs));
    return (first === 'slow' ? faultOf(run(longestMs)) : first) ?? result;
  }
}

/** `test` makes no object for each match; all matches of a text are as long as it is. */
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

function faultOf(run: () => void): PatternFault | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    // All but a pattern that is none is one that takes too much: time, or room to go back.
    return isNamed(error) && error.name === 'SyntaxError' ? 'invalid' : 'slow';
  }
}

/** Errors of another context are no instances of ours. */
function isNamed(error: unknown): error is { readonly name: unknown } {
  return typeof error === 'object' && error !== null && 'name' in error;
}

/** A text in pieces that take little time each; cut where a line ends if there is such a place. */
export function* piecesOf(text: string): Generator<Piece> {
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
