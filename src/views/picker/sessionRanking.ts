import { go, type Prepared, prepare } from 'fuzzysort';
import { fold } from '../../model/text/searchWords';
import { isSpelled } from '../../util/spelled';

/** A session with everything that it can be found by: each a clean line of text, or empty. */
export interface SessionCandidate {
  /** The title as shown in the view. */
  readonly title: string;
  /** The agent's title if the view shows the user's local name instead; otherwise empty. */
  readonly otherTitle: string;
  readonly agent: string;
  readonly folder: string;
  readonly sessionId: string;
  /** The facts that the agent adds to the session. */
  readonly facts: string;
  /** The time in ms. */
  readonly updatedAt: number | undefined;
  /** How much the session concerns the user now: 0 not at all, higher ranks sort first. */
  readonly rank: number;
}

interface Entry<T extends SessionCandidate> {
  readonly candidate: T;
  /** Everything that it can be found by, folded; the titles come first. */
  readonly text: string;
  /** The offset in `text` where the titles end. */
  readonly titlesEnd: number;
  /** Everything that it can be found by, prepared for the ranking when the entry is first scored. */
  prepared?: readonly (Prepared | undefined)[];
}

/** How far a candidate is from the search text; 0 is the closest match. */
type Distance = 0 | 1 | 2 | 3;

const parts = ['title', 'otherTitle', 'agent', 'folder', 'sessionId', 'facts'] as const;
/** Occurs in no part. */
const separator = '\0';
/** Maximum number of candidates to score: scoring all of them would be noticeable on each keystroke. */
const maxScoredSessions = 300;
const isWordCharacter = /[\p{L}\p{N}]/u;
/** Punctuation is written in many ways, which the ranking handles. */
const wordsOnly = /[\p{L}\p{N}\p{M}]+/gu;
const leastScore = 0.2;
/** The bonus for each rank, added to a score of at most 1, and the maximum bonus for recency. */
const rankBonus = 0.1;
const recencyBonus = 0.1;
/** The age, in ms, at which half of the recency bonus is left. */
const recencyHalf = 7 * 24 * 3600 * 1000;

/** Candidates prepared for repeated searches while the user types. */
export class CandidateIndex<T extends SessionCandidate> {
  #newest: readonly T[] = [];
  /** The entries in the same order; created on the first search. */
  #entries: readonly Entry<T>[] | undefined;
  readonly #made = new WeakMap<T, Entry<T>>();
  /** The previous search text, and all candidates that a text starting with it can match. */
  #before: { readonly text: string; readonly entries: readonly Entry<T>[] } | undefined;

  /** Replaces the candidates; the data computed for unchanged ones is reused. */
  hold(candidates: readonly T[]): void {
    this.#newest = candidates.toSorted(
      (a, b) => b.rank - a.rank || (b.updatedAt ?? -Infinity) - (a.updatedAt ?? -Infinity) || 0,
    );
    this.#entries = undefined;
    this.#before = undefined;
  }

  /**
   * Does the work that the first search would otherwise do: it takes ten times as long as the later
   * ones.
   */
  prepare(): void {
    this.best('a', 1, 0);
  }

  /** The best `limit` candidates for `text`; without a text, by rank and then the newest first. */
  best(text: string, limit: number, now: number): readonly T[] {
    if (text.trim() === '') {
      return this.#newest.slice(0, limit);
    }
    const found = go(text, this.#likeliest(text), {
      keys: parts.map((_, at) => (entry: Entry<T>) => preparedParts(entry)[at]),
      limit,
      threshold: leastScore,
      scoreFn: ({ score, obj }) => (score < leastScore ? 0 : score + getBonus(obj.candidate, now)),
    });
    return found.map(({ obj }) => obj.candidate);
  }

  /**
   * First the candidates with all words at the start of words in their titles, then anywhere in their titles,
   * then in any part; last those with the letters of each word, in order, in a part. Each in the order of
   * `#newest`.
   */
  #likeliest(text: string): readonly Entry<T>[] {
    this.#entries ??= this.#newest.map((candidate) => this.#getEntry(candidate));
    const all = this.#entries;
    if (all.length <= maxScoredSessions) {
      return all;
    }
    const wanted = fold(text).trim();
    const words = wanted.match(wordsOnly) ?? wanted.split(/ +/);
    const before = this.#before;
    const entries = before && wanted.startsWith(before.text) ? before.entries : all;
    const found: Record<Distance, Entry<T>[]> = { 0: [], 1: [], 2: [], 3: [] };
    const possible: Entry<T>[] = [];
    let seen = 0;
    for (const entry of entries) {
      seen++;
      const distance = findDistance(entry, words);
      if (distance !== undefined) {
        possible.push(entry);
        found[distance].push(entry);
      }
      if (found[0].length === maxScoredSessions) {
        break;
      }
    }
    this.#before = { text: wanted, entries: possible.concat(entries.slice(seen)) };
    return [...found[0], ...found[1], ...found[2], ...found[3]].slice(0, maxScoredSessions);
  }

  #getEntry(candidate: T): Entry<T> {
    let entry = this.#made.get(candidate);
    if (entry === undefined) {
      entry = getEntry(candidate);
      this.#made.set(candidate, entry);
    }
    return entry;
  }
}

/** The distance of the words from the entry; `undefined` if it doesn't match. */
function findDistance(
  { text, titlesEnd }: Entry<SessionCandidate>,
  words: readonly string[],
): Distance | undefined {
  let farthest: Distance = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === -1) {
      return isSpelledInParts(text, words) ? 3 : undefined;
    }
    if (at >= titlesEnd) {
      farthest = 2;
    } else if (farthest === 0 && at > 0 && isWordCharacter.test(text.charAt(at - 1))) {
      farthest = 1;
    }
  }
  return farthest;
}

function isSpelledInParts(text: string, words: readonly string[]): boolean {
  if (!words.every((word) => isSpelled(word, text))) {
    return false;
  }
  const folded = text.split(separator);
  return words.every((word) => folded.some((part) => isSpelled(word, part)));
}

function getEntry<T extends SessionCandidate>(candidate: T): Entry<T> {
  return {
    candidate,
    text: fold(parts.map((part) => candidate[part]).join(separator)),
    titlesEnd: candidate.title.length + separator.length + candidate.otherTitle.length,
  };
}

function preparedParts(entry: Entry<SessionCandidate>): readonly (Prepared | undefined)[] {
  return (entry.prepared ??= parts.map((part) => {
    const text = entry.candidate[part];
    return text === '' ? undefined : prepare(text);
  }));
}

function getBonus({ rank, updatedAt }: SessionCandidate, now: number): number {
  const age = updatedAt === undefined ? Infinity : Math.max(0, now - updatedAt);
  return Math.max(0, rank) * rankBonus + recencyBonus / (1 + age / recencyHalf);
}
