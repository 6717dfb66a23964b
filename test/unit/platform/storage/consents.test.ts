import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Consents } from '../../../../src/platform/storage/consents';

describe('what the user has agreed to', () => {
  let folder: string;
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-consents-')), 'kind');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  it('SEC-139: stays, whatever other windows agree to at the same moment', async () => {
    const windows = [0, 1, 2, 3].map(() => new Consents(folder));
    const abouts = Array.from({ length: 40 }, (_, at) => `https://host${at}.example`);
    await Promise.all(
      windows.flatMap((window, at) =>
        abouts.filter((_, index) => index % 4 === at).map((about) => window.set(about, 'yes')),
      ),
    );
    const kept = await Promise.all(abouts.map((about) => new Consents(folder).get(about)));
    assert.deepEqual(
      kept,
      abouts.map(() => 'yes'),
    );
  });

  it('is replaced by a later answer, and forgotten as a whole', async () => {
    const consents = new Consents(folder);
    assert.equal(await consents.get('a'), undefined, 'no folder is no fault');
    await consents.set('a', 'first');
    await consents.set('a', 'second');
    await consents.set('b', 'x');
    assert.equal(await consents.get('a'), 'second');
    await consents.clear();
    assert.deepEqual([await consents.get('a'), await consents.get('b')], [undefined, undefined]);
  });

  it('is bounded: twice as many answers leave the latest', async () => {
    await mkdir(folder);
    for (let at = 0; at < 400; at++) {
      await writeFile(path.join(folder, `${at.toString(16).padStart(64, '0')}.json`), '[]');
    }
    const consents = new Consents(folder);
    await consents.set('a', 'yes');
    assert.equal((await readdir(folder)).length, 200);
    assert.equal(await consents.get('a'), 'yes');
  });

  it('SEC-139: is asked for again if a file isn’t one of these answers, or none can be kept', async () => {
    const consents = new Consents(folder);
    await consents.set('a', 'yes');
    const [name = ''] = await readdir(folder);
    const file = path.join(folder, name);
    for (const text of ['', '[', '["b","yes"]', '["a",true]', '{"a":"yes"}', 'x'.repeat(600_000)]) {
      await writeFile(file, text);
      assert.equal(await consents.get('a'), undefined, text.slice(0, 20));
    }
    await writeFile(path.join(folder, 'elsewhere'), '["a","yes"]');
    await rm(file);
    await symlink(path.join(folder, 'elsewhere'), file);
    assert.equal(await consents.get('a'), undefined, 'a link');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    await consents.set('a', 'yes');
    assert.equal(await consents.get('a'), undefined);
  });
});
