import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { allOver, deferred, mapAtOnce, watchProgress, withTimeout } from '../../../src/util/async';

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

  it('SEC-143: allOver waits for every work, whichever fail', async () => {
    const slow = deferred<undefined>();
    let isOver = false;
    const over = allOver([
      () => Promise.reject(new Error('one')),
      () => slow.promise,
      () => {
        throw new Error('two');
      },
      () => undefined,
    ]).then((errors) => {
      isOver = true;
      return errors;
    });
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    slow.resolve(undefined);
    assert.deepEqual((await over).map(String), ['Error: one', 'Error: two']);
  });

  describe('mapAtOnce', () => {
    it('works on a few items at a time and keeps their order', async () => {
      const started: number[] = [];
      const gates = [0, 1, 2, 3].map(() => deferred<undefined>());
      const results = mapAtOnce([0, 1, 2, 3], 2, async (item) => {
        started.push(item);
        await gates[item]?.promise;
        return item * 10;
      });
      assert.deepEqual(started, [0, 1]);
      gates[1]?.resolve(undefined);
      await new Promise(setImmediate);
      assert.deepEqual(started, [0, 1, 2]);
      for (const gate of gates) {
        gate.resolve(undefined);
      }
      assert.deepEqual(await results, [0, 10, 20, 30]);
    });

    it('rejects like an item, and has nothing to do without any', async () => {
      assert.deepEqual(await mapAtOnce([], 2, () => Promise.reject(new Error('never'))), []);
      const fails = mapAtOnce([1, 2], 2, () => Promise.reject(new Error('own')));
      await assert.rejects(fails, /own/);
    });
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
