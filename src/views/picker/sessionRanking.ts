import { go, type SnapshotKeys, snapshot } from 'fuzzysort';

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

/** Candidates, made ready to be searched as often as one types. */
export interface CandidateIndex<T extends Candidate> {
  readonly newest: readonly T[];
  readonly snapshot: SnapshotKeys<T>;
}

const leastScore = 0.2;
/** What a rank adds to a score that is at most 1, and what the newest is ahead of the oldest. */
const rankBonus = 0.1;
const recencyBonus = 0.1;
/** After this time, in ms, half of what recency adds is gone. */
const recencyHalf = 7 * 24 * 3600 * 1000;

export function candidateIndex<T extends Candidate>(candidates: readonly T[]): CandidateIndex<T> {
  const newest = candidates.toSorted(
    (a, b) => b.rank - a.rank || (b.updatedAt ?? -Infinity) - (a.updatedAt ?? -Infinity) || 0,
  );
  return {
    newest,
    snapshot: snapshot(newest, {
      keys: ['title', 'otherTitle', 'agent', 'folder', 'sessionId', 'facts'],
    }),
  };
}

/** The best `limit` for `text`; without one those that a person has to do with, then the newest. */
export function rankCandidates<T extends Candidate>(
  index: CandidateIndex<T>,
  text: string,
  limit: number,
  now: number,
): readonly T[] {
  if (text.trim() === '') {
    return index.newest.slice(0, limit);
  }
  const found = go(text, index.snapshot, {
    limit,
    threshold: leastScore,
    scoreFn: ({ score, obj }) => (score < leastScore ? 0 : score + bonusOf(obj, now)),
  });
  return found.map(({ obj }) => obj);
}

function bonusOf({ rank, updatedAt }: Candidate, now: number): number {
  const age = updatedAt === undefined ? Infinity : Math.max(0, now - updatedAt);
  return rank * rankBonus + recencyBonus / (1 + age / recencyHalf);
}
