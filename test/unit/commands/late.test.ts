import assert from 'node:assert/strict';
import { Late } from '../../../src/commands/late';

describe('a service in a bundle of its own', () => {
  it('is loaded again by the next command if it couldn’t be loaded', async () => {
    const told: string[] = [];
    const service = {
      end: () => {
        told.push('end');
        return Promise.resolve();
      },
      dispose: () => void told.push('dispose'),
    };
    let times = 0;
    const late = new Late(() => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('no file')) : Promise.resolve(service);
    });
    await assert.rejects(late.load(), /no file/);
    await late.end();
    assert.equal(await late.load(), service);
    await late.end();
    late.dispose();
    assert.deepEqual(told, ['end', 'dispose']);
    assert.equal(times, 2);
  });
});
