import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { deferred, watchProgress, withTimeout } from '../../../src/util/async';

describe('async', () => {
  it('withTimeout settles as the promise does', async () => {
    const late = (): Error => new Error('late');
    assert.equal(await withTimeout(Promise.resolve(1), 60_000, late), 1);
    await assert.rejects(withTimeout(Promise.reject(new Error('own')), 60_000, late), /own/);
  });

  it('withTimeout rejects when the time is up', async () => {
    const { promise } = deferred<number>();
    await assert.rejects(
      withTimeout(promise, 1, () => new Error('late')),
      /late/,
    );
  });

  describe('watchProgress', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('calls once when nothing moves', () => {
      let stalls = 0;
      watchProgress(
        () => 7,
        100,
        () => stalls++,
      );
      mock.timers.tick(99);
      assert.equal(stalls, 0);
      mock.timers.tick(1);
      mock.timers.tick(1_000);
      assert.equal(stalls, 1);
    });

    it('stays quiet while something moves, and after dispose', () => {
      let received = 0;
      let stalls = 0;
      const watch = watchProgress(
        () => received,
        100,
        () => stalls++,
      );
      for (received = 1; received < 10; received++) {
        mock.timers.tick(100);
      }
      watch.dispose();
      mock.timers.tick(1_000);
      assert.equal(stalls, 0);
    });
  });
});
