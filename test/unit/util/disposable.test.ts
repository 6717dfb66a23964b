import assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../src/util/disposable';

describe('DisposableStore', () => {
  it('ends what it holds once, last added first', () => {
    const ended: number[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => ended.push(1)));
    store.add(toDisposable(() => ended.push(2)));
    store.dispose();
    store.dispose();
    assert.deepEqual(ended, [2, 1]);
  });

  it('disposes at once of objects that are added after the end', () => {
    let ended = false;
    const store = new DisposableStore();
    store.dispose();
    store.add(
      toDisposable(() => {
        ended = true;
      }),
    );
    assert.ok(ended);
    assert.ok(store.disposed);
  });
});
