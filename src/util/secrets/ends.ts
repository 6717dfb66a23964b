import type { Span } from './spans';

const partners: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};

/** Backslashes, as in JSON within JSON, and a quote, or three of them; before it the letters by which some languages mark a text. */
const opening = /(?:[bBrRfFuUL@$]{1,2}(?=["']))?(\\{0,7})(?:""(?=")|''(?='))?(["'`“„‘«])/y;

const endOfRun = /[\s"'`]|$/g;

/** A quoted text of more units isn't one: its end is missing. */
const maxQuoted = 4096;

/**
 * Finds where the quotes and lines of a text end. Looks at each part of it once for each kind of end, however often
 * asked.
 */
export class Ends {
  readonly #text: string;
  readonly #found = new Map<string, { readonly from: number; readonly at: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The inside of the quoted text that begins here; up to the end of its line if it has no end. */
  quotedAt(at: number): Span | undefined {
    opening.lastIndex = at;
    const match = opening.exec(this.#text);
    if (match === null) {
      return undefined;
    }
    const [whole, escapes = '', quote = ''] = match;
    const start = at + whole.length;
    const end = this.next(escapes, quote, start);
    return { start, end: end - start <= maxQuoted ? end : this.lineEnd(start) };
  }

  /** The end of the line that this place is in. */
  lineEnd(from: number): number {
    const end = this.#next('\n', from, () => this.#text.indexOf('\n', from));
    return Math.min(end, this.#text.length);
  }

  /** The place of the next space or quote. */
  runEnd(from: number): number {
    return this.#next('', from, () => {
      endOfRun.lastIndex = from;
      return endOfRun.exec(this.#text)?.index ?? this.#text.length;
    });
  }

  /**
   * The end of what begins with this quote after these backslashes, at or after `from`; `Infinity` if it doesn't end.
   */
  next(escapes: string, quote: string, from: number): number {
    const closer = partners[quote] ?? quote;
    return this.#next(escapes + closer, from, () => {
      let at = this.#text.indexOf(closer, from);
      while (at !== -1 && !isEnd(escapes.length, backslashesBefore(this.#text, at, from))) {
        at = this.#text.indexOf(closer, at + 1);
      }
      return at === -1 ? -1 : at - Math.min(escapes.length, at - from);
    });
  }

  #next(what: string, from: number, find: () => number): number {
    const known = this.#found.get(what);
    if (known !== undefined && known.from <= from && from <= known.at) {
      return known.at;
    }
    const at = find();
    const found = at === -1 ? Infinity : at;
    this.#found.set(what, { from, at: found });
    return found;
  }
}

/** A quote with fewer backslashes ends the text around it, too. */
function isEnd(opening: number, closing: number): boolean {
  return opening === 0 ? closing % 2 === 0 : closing <= opening;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charAt(first - 1) === '\\') {
    first--;
  }
  return at - first;
}
