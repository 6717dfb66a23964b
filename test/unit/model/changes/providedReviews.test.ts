import assert from 'node:assert/strict';
import { ProvidedReviews } from '../../../../src/model/changes/providedReviews';
import { FakeReviews } from '../../../support/fakeTurnReviews';
import { until } from '../../../support/until';

describe('reviews that a feature provides', () => {
  const providerOf = ({ actions, noteSaved }: FakeReviews) => ({
    actions: () => Promise.resolve(actions),
    noteSaved,
  });

  it('are none at first, then those that are provided, with their changes', async () => {
    const shown = new ProvidedReviews();
    let changes = 0;
    shown.onDidChange(() => (changes += 1));
    assert.deepEqual(
      [shown.all, shown.of('a', 's'), shown.pendingIn('a', 's')],
      [[], undefined, 0],
    );
    const reviews = new FakeReviews();
    const review = reviews.add('a', 's');
    const provided = shown.provide(reviews, providerOf(reviews));
    assert.equal(changes, 1);
    for (let turn = 1; turn <= 20; turn++) {
      review.addTurn({ turn, prompt: 'Fix it', files: [`/${turn}`] });
    }
    assert.equal(shown.pendingIn('a', 's'), 20);
    await until(() => changes === 2);
    assert.equal(changes, 2, 'many steps are told of together');
    provided.dispose();
    assert.deepEqual([shown.all, await shown.actions()], [[], undefined]);
    shown.dispose();
  });

  it('are those from before again when others are taken away', async () => {
    const shown = new ProvidedReviews();
    const [first, others] = [new FakeReviews(), new FakeReviews()];
    first.add('a', 's');
    shown.provide(first, providerOf(first));
    const provided = shown.provide(others, providerOf(others));
    assert.deepEqual([shown.of('a', 's'), await shown.actions()], [undefined, others.actions]);
    provided.dispose();
    assert.deepEqual(
      [shown.of('a', 's'), await shown.actions()],
      [first.of('a', 's'), first.actions],
    );
    shown.dispose();
  });
});
