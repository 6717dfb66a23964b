/** Words as the index knows them: without case and accents, the same for what is said and for what is looked for. */

/** Longer ones are hashes and data: they are found by how they begin. */
export const longestWord = 40;
/** Scripts that put no spaces between words: each of their characters counts as one. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');
const wordCharacter = '[\\p{L}\\p{N}\\p{M}]';
const unspacedEnd = new RegExp(`[${unspaced}]$`, 'u');
const startsWithWord = new RegExp(`^${wordCharacter}`, 'u');
const endsWithWord = new RegExp(`${wordCharacter}$`, 'u');
const wordOrCharacter = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])${wordCharacter})+`, 'gu');
/** What may be one word or several: cheap, since almost all of it is ASCII. */
const rough = /[A-Za-z0-9\u0080-\uffff]+/g;
const beyondAscii = /[^\u0000-\u007f]/gu;
const isAscii = /^[\u0000-\u007f]*$/;

/** Most words of a query that count. */
const mostTerms = 12;
/** Quoted text with its end, or a word. */
const queryParts = /"([^"]*)("?)|[^\s"]+/g;
/** Characters of a query that count. */
export const longestQuery = 300;

/** The text without case and accents, and with one kind of white space; each place is where it was. */
export function fold(text: string): string {
  const small = text.replace(beyondAscii, foldCharacter).replace(/[A-Z]+/g, lower);
  return small.replace(/\s/g, ' ');
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Of the characters that were seen: a few dozen in most languages. */
const folded = new Map<string, string>();
const mostFolded = 20_000;

function foldCharacter(character: string): string {
  let small = folded.get(character);
  if (small === undefined) {
    small = foldedOf(character);
    if (folded.size < mostFolded) {
      folded.set(character, small);
    }
  }
  return small;
}

/** Letters whose accent is a part of them, which Unicode doesn't take apart. */
const barred: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' };

function foldedOf(character: string): string {
  const [base = ''] = character.normalize('NFD');
  const lowered = base.toLowerCase();
  const small = barred[lowered] ?? lowered;
  if (small.length === character.length) {
    return small;
  }
  return base.length === character.length ? base : character;
}

/** Every word of a text, once. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.match(rough) ?? []).flatMap(wordsOfPiece));
}

/** The words of a piece between two signs. */
export function wordsOfPiece(piece: string): readonly string[] {
  const words = isAscii.test(piece)
    ? [piece.toLowerCase()]
    : (fold(piece.normalize('NFC')).match(wordOrCharacter) ?? []);
  return words.map((word) => word.slice(0, longestWord));
}

/** What a person looks for. */
export interface Query {
  /** Words that must all be there. */
  readonly words: readonly string[];
  /** A word of which only the beginning was typed so far. */
  readonly prefix: string | undefined;
  /** What must be there as it stands: words, words with signs between them, and quoted text. */
  readonly terms: readonly RegExp[];
}

/** The parts of what a person has typed, as they stand: words, and what is in quotes. */
export function typedParts(text: string): readonly string[] {
  const parts = [...text.slice(0, longestQuery).matchAll(queryParts)].slice(0, mostTerms);
  return parts.map(([whole, quoted]) => (quoted ?? whole).trim()).filter((part) => part !== '');
}

/** `undefined` when nothing in it can be looked for. A part in quotes is looked for as it stands. */
export function parseQuery(text: string): Query | undefined {
  const query = text.slice(0, longestQuery).normalize('NFC');
  const parts = [...query.matchAll(queryParts)].slice(0, mostTerms);
  const words = new Set<string>();
  const terms: RegExp[] = [];
  let prefix: string | undefined;
  for (const [at, [whole, quoted, closing]] of parts.entries()) {
    const open = at === parts.length - 1 && closing !== '"' && !/\s$/.test(query);
    const term = fold(quoted ?? whole).trim();
    const found = [...wordsOf(term)];
    // Of the last part only the last word may go on, and only if it is not followed by a sign.
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
  const escaped = term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/ +/g, ' +');
  const before =
    startsWithWord.test(term) && !unspacedStart.test(term)
      ? `(?<!(?![${unspaced}])${wordCharacter})`
      : '';
  const after =
    mayGoOn || !endsWithWord.test(term) || unspacedEnd.test(term) ? '' : `(?!${wordCharacter})`;
  return new RegExp(before + escaped + after, 'u');
}
