import { escapeRegExp } from '../../util/escapeRegExp';

/**
 * The words of the index: without case and accents, with the same rules for transcripts and
 * queries.
 */

/** Longer words are hashes and data; only their beginning is indexed. */
export const maxWordLength = 40;
/** Scripts without spaces between words: each of their characters counts as a word. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');
const wordCharacter = '[\\p{L}\\p{N}\\p{M}]';
const unspacedEnd = new RegExp(`[${unspaced}]$`, 'u');
const startsWithWord = new RegExp(`^${wordCharacter}`, 'u');
const endsWithWord = new RegExp(`${wordCharacter}$`, 'u');
const wordOrCharacter = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])${wordCharacter})+`, 'gu');
/** Candidates for one or several words: cheap, because almost all text is ASCII. */
const rough = /[A-Za-z0-9\u0080-\uffff]+/g;
const beyondAscii = /[^\u0000-\u007f]/gu;
const isAscii = /^[\u0000-\u007f]*$/;

/** Maximum number of words of a query; the rest is ignored. */
const maxTerms = 12;
/** Quoted text with its closing quote, or a word. */
const queryParts = /"([^"]*)("?)|[^\s"]+/g;
/** Maximum length of a query, in UTF-16 units; the rest is ignored. */
export const maxQueryLength = 300;

/**
 * The text without case and accents, and with spaces as the only white space; all offsets are
 * preserved.
 */
export function fold(text: string): string {
  const small = text.replace(beyondAscii, foldCharacter).replace(/[A-Z]+/g, lower);
  return small.replace(/\s/g, ' ');
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Results for the characters seen so far: a few dozen in most languages. */
const folded = new Map<string, string>();
const maxFoldedLength = 20_000;

function foldCharacter(character: string): string {
  let small = folded.get(character);
  if (small === undefined) {
    small = computeFolded(character);
    if (folded.size < maxFoldedLength) {
      folded.set(character, small);
    }
  }
  return small;
}

/** Letters with a stroke or without a dot, which Unicode doesn't decompose. */
const barred: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' };

function computeFolded(character: string): string {
  const [base = ''] = character.normalize('NFD');
  const lowered = base.toLowerCase();
  const small = barred[lowered] ?? lowered;
  if (small.length === character.length) {
    return small;
  }
  return base.length === character.length ? base : character;
}

/** The distinct words of a text. */
export function getWords(text: string): ReadonlySet<string> {
  return new Set((text.match(rough) ?? []).flatMap(wordsOfPiece));
}

/** The words of a piece between punctuation. */
export function wordsOfPiece(piece: string): readonly string[] {
  const words = isAscii.test(piece)
    ? [piece.toLowerCase()]
    : (fold(piece.normalize('NFC')).match(wordOrCharacter) ?? []);
  return words.map((word) => word.slice(0, maxWordLength));
}

/** A parsed query. */
export interface Query {
  /** Words that must all occur. */
  readonly words: readonly string[];
  /** The last word, if more of it may still be typed. */
  readonly prefix: string | undefined;
  /**
   * Patterns that must match the folded text: words, words joined by punctuation, and quoted text.
   */
  readonly terms: readonly RegExp[];
}

/** The parts of a typed query, unchanged: words, and text in quotes. */
export function typedParts(text: string): readonly string[] {
  const parts = [...text.slice(0, maxQueryLength).matchAll(queryParts)].slice(0, maxTerms);
  return parts.map(([whole, quoted]) => (quoted ?? whole).trim()).filter((part) => part !== '');
}

/**
 * `undefined` if the text contains nothing to search for. A quoted part is searched for verbatim.
 */
export function parseQuery(text: string): Query | undefined {
  const query = text.slice(0, maxQueryLength).normalize('NFC');
  const parts = [...query.matchAll(queryParts)].slice(0, maxTerms);
  const words = new Set<string>();
  const terms: RegExp[] = [];
  let prefix: string | undefined;
  for (const [at, [whole, quoted, closing]] of parts.entries()) {
    const open = at === parts.length - 1 && closing !== '"' && !/\s$/.test(query);
    const term = fold(quoted ?? whole).trim();
    const found = [...getWords(term)];
    // Only the last word of the last part may be incomplete, and only if no punctuation follows it.
    prefix = open && endsWithWord.test(term) ? found.pop() : undefined;
    for (const word of found) {
      words.add(word);
    }
    if (term !== '') {
      terms.push(termPattern(term, prefix !== undefined));
    }
  }
  return words.size > 0 || prefix !== undefined ? { words: [...words], prefix, terms } : undefined;
}

function termPattern(term: string, mayGoOn: boolean): RegExp {
  const escaped = escapeRegExp(term).replace(/ +/g, ' +');
  const before =
    startsWithWord.test(term) && !unspacedStart.test(term)
      ? `(?<!(?![${unspaced}])${wordCharacter})`
      : '';
  const after =
    mayGoOn || !endsWithWord.test(term) || unspacedEnd.test(term) ? '' : `(?!${wordCharacter})`;
  return new RegExp(before + escaped + after, 'u');
}
