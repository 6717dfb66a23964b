import { go, type Prepared, prepare } from 'fuzzysort';
import { fold } from '../../model/search/searchWords';
import { isSpelled } from '../../util/spelled';

/** A session with all that it can be found by; one clean line each, empty where there is nothing. */
export interface Candidate {
  /** As the view shows it. */
  readonly title: string;
  /** The agent's title where the view shows a person's own name. */
  readonly otherTitle: string;
  readonly agent: string;
  readonly folder: string;
  readonly sessionId: string;
  /** What the agent adds to it. */
  readonly facts: string;
  /** In ms. */
  readonly updatedAt: number | undefined;
  /** How much a person has to do with it just now: 0 nothing, higher sooner. */
  readonly rank: number;
}

interface Entry<T extends Candidate> {
  readonly candidate: T;
  /** What it can be found by, folded; the title's parts come first. */
  readonly text: string;
  /** Where in `text` the titles end. */
  readonly titlesEnd: number;
  /** What it can be found by, as the ranking wants it; made when it is first looked at closely. */
  prepared?: readonly (Prepared | undefined)[];
}

/** How far from what is looked for; 0 is the likeliest to be meant. */
type Distance = 0 | 1 | 2 | 3;

const parts = ['title', 'otherTitle', 'agent', 'folder', 'sessionId', 'facts'] as const;
/** Is in no part. */
const separator = '\0';
/** Candidates that are looked at closely: the likeliest ones, since looking at all would be felt at each key. */
const mostLookedAt = 300;
const isWordCharacter = /[\p{L}\p{N}]/u;
/** Signs are written in many ways, which the ranking knows. */
const wordsOnly = /[\p{L}\p{N}\p{M}]+/gu;
const leastScore = 0.2;
/** What a rank adds to a score that is at most 1, and what the newest is ahead of the oldest. */
const rankBonus = 0.1;
const recencyBonus = 0.1;
/** After this time, in ms, half of what recency adds is gone. */
const recencyHalf = 7 * 24 * 3600 * 1000;

/** Candidates, made ready to be searched as often as one types. */
export class CandidateIndex<T extends Candidate> {
  #newest: readonly T[] = [];
  /** Of the same order; made when something is first looked for. */
  #entries: readonly Entry<T>[] | undefined;
  readonly #made = new WeakMap<T, Entry<T>>();
  /** What was looked for before, and all that can be found by a text that begins with it. */
  #before: { readonly text: string; readonly entries: readonly Entry<T>[] } | undefined;

  /** Takes the place of what it held; little is to be done for those that are the same. */
  hold(candidates: readonly T[]): void {
    this.#newest = candidates.toSorted(
      (a, b) => b.rank - a.rank || (b.updatedAt ?? -Infinity) - (a.updatedAt ?? -Infinity) || 0,
    );
    this.#entries = undefined;
    this.#before = undefined;
  }

  /** Does what the first look would else have to do: it takes ten times as long as those that follow. */
  prepare(): void {
    this.best('a', 1, 0);
  }

  /** The best `limit` for `text`; without one those that a person has to do with, then the newest. */
  best(text: string, limit: number, now: number): readonly T[] {
    if (text.trim() === '') {
      return this.#newest.slice(0, limit);
    }
    const found = go(text, this.#likeliest(text), {
      keys: parts.map((_, at) => (entry: Entry<T>) => preparedParts(entry)[at]),
      limit,
      threshold: leastScore,
      scoreFn: ({ score, obj }) => (score < leastScore ? 0 : score + bonusOf(obj.candidate, now)),
    });
    return found.map(({ obj }) => obj.candidate);
  }

  /**
   * Those with all words where words begin in their titles, then elsewhere in their titles, then in any part,
   * then those with the words' letters in a part; the newest of each.
   */
  #likeliest(text: string): readonly Entry<T>[] {
    this.#entries ??= this.#newest.map((candidate) => this.#entryOf(candidate));
    const all = this.#entries;
    if (all.length <= mostLookedAt) {
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
      const distance = distanceOf(entry, words);
      if (distance !== undefined) {
        possible.push(entry);
        found[distance].push(entry);
      }
      if (found[0].length === mostLookedAt) {
        break;
      }
    }
    this.#before = { text: wanted, entries: possible.concat(entries.slice(seen)) };
    return [...found[0], ...found[1], ...found[2], ...found[3]].slice(0, mostLookedAt);
  }

  #entryOf(candidate: T): Entry<T> {
    let entry = this.#made.get(candidate);
    if (entry === undefined) {
      entry = entryOf(candidate);
      this.#made.set(candidate, entry);
    }
    return entry;
  }
}

/** How far the words are from what it can be found by; `undefined` if it can't be. */
function distanceOf(
  { text, titlesEnd }: Entry<Candidate>,
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

function entryOf<T extends Candidate>(candidate: T): Entry<T> {
  return {
    candidate,
    text: fold(parts.map((part) => candidate[part]).join(separator)),
    titlesEnd: candidate.title.length + separator.length + candidate.otherTitle.length,
  };
}

function preparedParts(entry: Entry<Candidate>): readonly (Prepared | undefined)[] {
  return (entry.prepared ??= parts.map((part) => {
    const text = entry.candidate[part];
    return text === '' ? undefined : prepare(text);
  }));
}

function bonusOf({ rank, updatedAt }: Candidate, now: number): number {
  const age = updatedAt === undefined ? Infinity : Math.max(0, now - updatedAt);
  return Math.max(0, rank) * rankBonus + recencyBonus / (1 + age / recencyHalf);
}
