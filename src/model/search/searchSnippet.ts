import { fold, type Query } from './searchWords';

/** Characters before and behind what was found. */
const before = 40;
const around = 160;

export interface Match {
  /** Index of the text among those given. */
  readonly at: number;
  /** Every term is in it. */
  readonly whole: boolean;
  readonly snippet: string;
}

/**
 * The texts that a query is about: those with all of its terms; when the terms are only there taken
 * together, the one with most of them; none when one is missing.
 */
export function matchTexts(texts: readonly string[], { terms }: Query): readonly Match[] {
  const folded = texts.map(fold);
  const counts = folded.map((text) => terms.filter((term) => term.test(text)).length);
  const whole = counts.flatMap((count, at) => (count === terms.length ? [at] : []));
  if (whole.length > 0) {
    return whole.map((at) => ({ at, whole: true, snippet: cut(texts, folded, at, terms) }));
  }
  if (!terms.every((term) => folded.some((text) => term.test(text)))) {
    return [];
  }
  const at = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
  return [{ at, whole: false, snippet: cut(texts, folded, at, terms) }];
}

/** Around the first of the terms that is there. */
function cut(
  texts: readonly string[],
  folded: readonly string[],
  at: number,
  terms: readonly RegExp[],
): string {
  const text = texts[at] ?? '';
  const places = terms.map((term) => (folded[at] ?? '').search(term)).filter((place) => place >= 0);
  const first = Math.min(...places);
  if (!Number.isFinite(first) || first <= before) {
    return text.slice(0, around);
  }
  // From the beginning of a word, if one is near.
  const from = text.slice(first - before, first).search(/(?<=\s)\S/);
  const start = first - before + Math.max(0, from);
  return `…${text.slice(start, start + around)}`;
}
