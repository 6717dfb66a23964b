import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { GitWorld } from './gitWorld';

describe('checkpoints, asked about one file', () => {
  let world: GitWorld;
  beforeEach(() => {
    world = new GitWorld();
  });
  afterEach(() => world.close());

  it('tell how a file began, unless it is the same, ignored or elsewhere', async () => {
    const odd = ':(top) *?[a].txt';
    const repo = world.repository('repo', {
      'a.txt': 'one\r\n',
      [odd]: 'odd',
      '.gitignore': 'ignored*\n',
    });
    world.write(path.join(repo, 'ignored.txt'), 'one');
    symlinkSync('a.txt', path.join(repo, 'link'));
    const inner = world.repository('repo/inner', { 'c.txt': 'inner' });
    for (const folder of [repo, path.join(repo, 'sub')]) {
      world.write(path.join(repo, 'sub/d.txt'), 'sub');
      const checkpoints = world.checkpoints();
      const taken = await world.take(checkpoints, folder);
      const earlier = async (
        file: string,
        now: string | undefined,
      ): Promise<string | undefined> => {
        const bytes = now === undefined ? undefined : Buffer.from(now);
        const state = await checkpoints.earlier(taken, file, bytes, world.blobs);
        if (state?.kind !== 'file') {
          return state?.kind;
        }
        return Buffer.from((await world.blobs.read(state.hash)) ?? []).toString();
      };
      const at = (name: string): string => path.join(repo, name);
      assert.equal(await earlier(at('sub/d.txt'), 'other'), 'sub');
      assert.equal(await earlier(at('sub/d.txt'), 'sub'), undefined);
      assert.equal(await earlier(at('sub/d.txt'), undefined), 'sub');
      assert.equal(await earlier(at('sub/new.txt'), 'new'), 'absent');
      assert.equal(await earlier(at('sub/new.txt'), undefined), undefined);
      assert.equal(await earlier(at('sub/ignored.txt'), 'other'), undefined);
      assert.equal(await earlier(world.at('elsewhere.txt'), 'other'), undefined);
      const isWhole = folder === repo;
      assert.equal(await earlier(at('a.txt'), 'two'), isWhole ? 'one\r\n' : undefined);
      assert.equal(await earlier(at(odd), 'even'), isWhole ? 'odd' : undefined);
      assert.equal(await earlier(path.join(inner, 'c.txt'), ''), isWhole ? 'inner' : undefined);
      assert.equal(await earlier(at('link'), 'two'), undefined);
      assert.equal(await earlier(at('sub'), undefined), undefined);
    }
  });
});
