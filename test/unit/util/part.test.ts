import assert from 'node:assert/strict';
import { onDidFailToLoad, part } from '../../../src/util/part';

describe('a part of the extension', () => {
  it('SEC-144: is loaded again by whoever needs it next if it couldn’t be loaded, and each failure is told', async () => {
    const gone = new Error('Cannot find module');
    const told: unknown[] = [];
    const listening = onDidFailToLoad((error) => told.push(error));
    let times = 0;
    const load = part(() => {
      times += 1;
      return times < 3 ? Promise.reject(gone) : Promise.resolve(times);
    });
    await assert.rejects(load, gone);
    await assert.rejects(load, gone);
    assert.equal(await load(), 3);
    assert.deepEqual(told, [gone, gone]);
    listening.dispose();
  });
});
