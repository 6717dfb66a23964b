import type { KnownReview } from '../../model/changes/reviews';
import { getKey } from '../../model/list/sessionInfo';
import { type GlanceAway, type NewsKind, newsKinds } from '../../shared/glance/glance';
import type { SessionRef } from '../../shared/sessionRef';
import type { Absence } from '../../views/attention/absence';

interface NewsSources {
  readonly absence: Pick<Absence, 'since' | 'news'>;
  readonly reviews: readonly Pick<KnownReview, 'agentId' | 'sessionId' | 'pending'>[];
  /** Whether a session still asks. */
  readonly isAsking: (session: SessionRef) => boolean;
}

/** The sessions of each kind of news, in the order of time; one may be of several kinds. */
export function newsOf({
  absence,
  reviews,
  isAsking,
}: NewsSources): Readonly<Record<NewsKind, readonly SessionRef[]>> {
  const pending = new Set(
    reviews.filter((review) => review.pending.length > 0).map((review) => getKey(review)),
  );
  const refsOf = (kind: (typeof absence.news)[number]['kind']): readonly SessionRef[] =>
    absence.news.filter((one) => one.kind === kind).map(({ ref }) => ref);
  return {
    asks: refsOf('needsAnswer').filter(isAsking),
    failed: refsOf('failed'),
    finished: refsOf('turnEnded'),
    toReview: absence.news.map(({ ref }) => ref).filter((ref) => pending.has(getKey(ref))),
  };
}

/** How many sessions have news; `undefined` if none has. */
export function awayNews(sources: NewsSources): GlanceAway | undefined {
  const news = newsOf(sources);
  const counts = newsKinds
    .map((kind) => ({ kind, count: news[kind].length }))
    .filter(({ count }) => count > 0);
  return counts.length === 0 ? undefined : { since: sources.absence.since, counts };
}
