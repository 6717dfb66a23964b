import assert from 'node:assert/strict';
import { whileHeld } from '../../../../src/model/files/heldFiles';

describe('Files that another program holds', () => {
  /** Fails so often, then succeeds. */
  function failing(times: number, code: string): () => Promise<number> {
    let attempts = 0;
    return () => {
      attempts++;
      return attempts <= times
        ? Promise.reject(Object.assign(new Error(`attempt ${attempts}`), { code }))
        : Promise.resolve(attempts);
    };
  }

  function patience(platform: NodeJS.Platform) {
    const pauses: number[] = [];
    return { platform, pauses, pause: (ms: number) => Promise.resolve(pauses.push(ms)) };
  }

  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    it(`Windows: are tried again after ${code}, ever later`, async () => {
      const windows = patience('win32');
      assert.equal(await whileHeld(failing(3, code), windows), 4);
      assert.deepEqual(windows.pauses, [10, 20, 40]);
    });
  }

  it('Windows: are given up after some attempts, with the reason', async () => {
    const windows = patience('win32');
    await assert.rejects(whileHeld(failing(100, 'EBUSY'), windows), { message: 'attempt 8' });
    assert.equal(windows.pauses.length, 7);
  });

  it('are not tried again for another reason, nor on other systems', async () => {
    for (const [code, platform] of [
      ['ENOENT', 'win32'],
      ['EPERM', 'linux'],
    ] as const) {
      const given = patience(platform);
      await assert.rejects(whileHeld(failing(1, code), given), { code });
      assert.deepEqual(given.pauses, []);
    }
  });
});
