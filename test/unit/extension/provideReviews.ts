import { restoreBefore } from '../../../src/features/review/asking/restoreBefore';
import { openPendingChange } from '../../../src/features/review/editors/openPending';
import { AgreedDeletions } from '../../../src/features/review/files/agreedDeletions';
import type { ReviewActions } from '../../../src/model/changes/providedReviews';
import type { Disposable } from '../../../src/util/disposable';
import type { FakeReviews } from '../../support/fakeTurnReviews';
import type { ExtensionBench } from '../../vscode/harness/support';

/** Makes these the records of what agents changed until the result is disposed. */
export async function provideReviews(
  { api }: ExtensionBench,
  reviews: FakeReviews,
): Promise<Disposable> {
  // The real ones, which the first turn of a window loads, would replace these otherwise.
  await api.storedReviews.get();
  const services = { ...api, reviews, agreedDeletions: new AgreedDeletions() };
  const actions: ReviewActions = {
    ...reviews.actions,
    showFile: async ({ agentId, sessionId }, file) => {
      const review = reviews.of(agentId, sessionId);
      const pending = review?.pending.find((it) => it.file === file);
      await (review && pending && openPendingChange(api.documents, review, pending));
    },
    restoreBefore: async ({ agentId, sessionId }, turn, prompt, back) => {
      const review = reviews.of(agentId, sessionId);
      await (review && restoreBefore(services, review, { turn, prompt, back }));
    },
  };
  return api.reviews.provide(reviews, {
    actions: () => Promise.resolve(actions),
    noteSaved: reviews.noteSaved,
  });
}
