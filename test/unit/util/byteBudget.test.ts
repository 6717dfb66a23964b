import assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../src/util/async';
import { ByteBudget } from '../../../src/util/byteBudget';

describe('a budget of bytes', () => {
  it('is never passed, twice as much as fits waits in its order, and all of it is done', async () => {
    const budget = new ByteBudget(100);
    let held = 0;
    let peak = 0;
    const order: number[] = [];
    const work = async (index: number, bytes: number): Promise<void> => {
      held += bytes;
      peak = Math.max(peak, held);
      order.push(index);
      await new Promise(setImmediate);
      held -= bytes;
    };
    const sizes = [40, 40, 40, 1, 80, 20, 1, 1];
    await Promise.all(sizes.map((bytes, at) => budget.hold(bytes, () => work(at, bytes))));
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(peak, 100);
    assert.equal(held, 0);
  });

  it('lets a value larger than the whole budget pass alone', async () => {
    const budget = new ByteBudget(100);
    const first = deferred<undefined>();
    const begun: string[] = [];
    const hold = (name: string, bytes: number, until: Deferred<undefined>): Promise<undefined> =>
      budget.hold(bytes, () => {
        begun.push(name);
        return until.promise;
      });
    const done = deferred<undefined>();
    done.resolve(undefined);
    const all = [hold('large', 1000, first), hold('small', 1, done)];
    assert.deepEqual(begun, ['large']);
    first.resolve(undefined);
    await Promise.all(all);
    assert.deepEqual(begun, ['large', 'small']);
  });

  it('gives back what failed', async () => {
    const budget = new ByteBudget(1);
    await assert.rejects(budget.hold(1, () => Promise.reject(new Error('no'))));
    assert.equal(await budget.hold(1, () => Promise.resolve('yes')), 'yes');
  });
});
