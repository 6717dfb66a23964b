import assert from 'node:assert/strict';
import { LateReviews } from '../../../../src/model/changes/providedReviews';
import { FakeReviews } from '../../../support/fakeTurnReviews';
import { until } from '../../../support/until';

describe('reviews that come late', () => {
  it('are none at first, then those that are provided, with their changes', async () => {
    const late = new LateReviews();
    let changes = 0;
    late.onDidChange(() => (changes += 1));
    assert.deepEqual([late.all, late.of('a', 's'), late.pendingIn('a', 's')], [[], undefined, 0]);
    const reviews = new FakeReviews();
    const review = reviews.add('a', 's');
    const provided = late.provide(reviews, reviews.actions);
    assert.equal(changes, 1);
    for (let turn = 1; turn <= 20; turn++) {
      review.addTurn({ turn, prompt: 'Fix it', files: [`/${turn}`] });
    }
    assert.equal(late.pendingIn('a', 's'), 20);
    await until(() => changes === 2);
    assert.equal(changes, 2, 'many steps are told of together');
    provided.dispose();
    assert.deepEqual([late.all, late.actions], [[], undefined]);
    late.dispose();
  });

  it('are those from before again when others are taken away', () => {
    const late = new LateReviews();
    const [first, others] = [new FakeReviews(), new FakeReviews()];
    first.add('a', 's');
    late.provide(first, first.actions);
    const provided = late.provide(others, others.actions);
    assert.deepEqual([late.of('a', 's'), late.actions], [undefined, others.actions]);
    provided.dispose();
    assert.deepEqual([late.of('a', 's'), late.actions], [first.of('a', 's'), first.actions]);
    late.dispose();
  });
});
