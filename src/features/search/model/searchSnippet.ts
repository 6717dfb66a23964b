import { fold, type Query } from '../../../model/text/searchWords';

/** Characters of a snippet before the match, and in total. */
const before = 40;
const around = 160;

export interface SnippetMatch {
  /** Index of the text in the given list. */
  readonly at: number;
  /** Whether the text contains every term. */
  readonly whole: boolean;
  readonly snippet: string;
}

/**
 * The texts that match a query: those that contain all of its terms; if only all texts together do,
 * the one with the most terms; none if a term is missing everywhere.
 */
export function matchTexts(texts: readonly string[], { terms }: Query): readonly SnippetMatch[] {
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

/** A snippet around the first term in the text. */
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
  // Starts at the beginning of a word if one is near.
  const from = text.slice(first - before, first).search(/(?<=\s)\S/);
  const start = first - before + Math.max(0, from);
  return `…${text.slice(start, start + around)}`;
}
