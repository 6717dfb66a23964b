import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { mock } from 'node:test';
import {
  openPrivateGit,
  type PrivateGit,
} from '../../../../../../src/features/review/model/checkpoints/privateGit';
import { deferred } from '../../../../../../src/util/async';
import { remove, temporaryFolder } from '../../../../model/files/hostileFiles';

describe('a store of checkpoints that two windows make at the same time', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('private-git');
  });
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
    remove(folder);
  });

  function open(directory: string): Promise<PrivateGit> {
    const user = {
      ...{ converts: false, excludesFile: '', attributesFile: '', isSparse: false },
      ...{ fileMode: undefined, symlinks: undefined, format: 'sha1' as const },
    };
    return openPrivateGit({ directory, top: folder, user });
  }

  it('is the one that is in its place first, wherever the slower one stands then', async () => {
    let steps = 0;
    for (let isOver = false; !isOver; steps++) {
      const directory = path.join(folder, `${steps}`, 'git');
      mkdirSync(path.dirname(directory));
      const stop = stopAt(steps);
      const slow = stop.slowed(() => open(directory));
      isOver = await Promise.race([slow.then(() => true), stop.reached.then(() => false)]);
      const quick = await open(directory);
      const { ino } = statSync(directory);
      stop.goOn();
      assert.deepEqual(await slow, quick, `stopped at step ${steps}`);
      assert.equal(statSync(directory).ino, ino, `stopped at step ${steps}`);
      mock.restoreAll();
    }
    assert.ok(steps > 10);
  });
});

/** Stops what is `slowed` before it uses the file system once more than so many times. */
function stopAt(steps: number) {
  const isSlow = new AsyncLocalStorage<true>();
  const [reached, goOn] = [deferred<undefined>(), deferred<undefined>()];
  let uses = 0;
  for (const name of ['lstat', 'mkdir', 'open', 'rename', 'rm'] as const) {
    const use = fs[name] as (...args: unknown[]) => Promise<unknown>;
    mock.method(fs, name, async (...args: unknown[]) => {
      if (isSlow.getStore() === true && uses++ === steps) {
        reached.resolve(undefined);
        await goOn.promise;
      }
      return use(...args);
    });
  }
  syncBuiltinESMExports();
  return {
    slowed: <T>(work: () => Promise<T>): Promise<T> => isSlow.run(true, work),
    reached: reached.promise,
    goOn: () => goOn.resolve(undefined),
  };
}
