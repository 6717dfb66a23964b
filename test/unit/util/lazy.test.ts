import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deferred } from '../../../src/util/async';
import { Lazy } from '../../../src/util/lazy';
import { inProject } from '../../support/project';

const dist = inProject('dist');

describe('what is made once it is needed', () => {
  it('is made once for all who need it', async () => {
    const made = deferred<number>();
    let times = 0;
    const lazy = new Lazy(() => {
      times += 1;
      return made.promise;
    });
    assert.equal(lazy.made, undefined);
    const all = Promise.all([lazy.get(), lazy.get()]);
    assert.equal(lazy.made, lazy.get());
    made.resolve(1);
    assert.deepEqual(await all, [1, 1]);
    assert.equal(await lazy.get(), 1);
    assert.equal(times, 1);
  });

  it('SEC-144: is made again by whoever needs it next if it failed', async () => {
    let times = 0;
    const lazy = new Lazy(() => {
      times += 1;
      return times < 3 ? Promise.reject(new Error(`failed ${times}`)) : Promise.resolve(times);
    });
    await Promise.all([1, 1].map(() => assert.rejects(lazy.get(), /failed 1/)));
    assert.equal(lazy.made, undefined);
    await assert.rejects(lazy.get(), /failed 2/);
    assert.equal(await lazy.get(), 3);
    assert.equal(await lazy.get(), 3);
  });

  it('SEC-144: may be a part of the extension: none is loaded by what Node never tries twice', () => {
    const names = readdirSync(path.join(dist, 'parts'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => `parts/${name}`);
    assert.ok(names.length > 0);
    assert.deepEqual(
      ['extension.js', ...names].filter((name) =>
        /\bimport\(["'`]\.{1,2}\//.test(readFileSync(path.join(dist, name), 'utf8')),
      ),
      [],
    );
  });
});
