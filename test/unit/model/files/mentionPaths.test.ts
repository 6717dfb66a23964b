import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findMentionedPath } from '../../../../src/model/files/mentionPaths';
import { realPath } from '../../../../src/platform/files/realPath';

describe('paths that a prompt mentions', () => {
  let folder: string;
  let roots: readonly string[];

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-mentions-')));
    roots = [path.join(folder, 'shop'), path.join(folder, 'docs')];
    await mkdir(path.join(folder, 'shop', 'src'), { recursive: true });
    await mkdir(path.join(folder, 'docs'));
    await writeFile(path.join(folder, 'shop', 'src', 'cart.ts'), '');
    await writeFile(path.join(folder, 'docs', 'prices.md'), '');
    await writeFile(path.join(folder, 'secret'), '');
    await symlink(path.join(folder, 'secret'), path.join(folder, 'docs', 'link'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  function find(written: string) {
    return findMentionedPath(written, { roots, folders: roots }, realPath);
  }

  it('are those of any of the session’s folders, with either kind of slash', async () => {
    const cart = { path: path.join(folder, 'shop', 'src', 'cart.ts'), isFolder: false };
    assert.deepEqual(await find('src/cart.ts'), cart);
    assert.deepEqual(await find('src\\cart.ts'), cart);
    assert.deepEqual(await find('prices.md'), {
      path: path.join(folder, 'docs', 'prices.md'),
      isFolder: false,
    });
    assert.equal((await find('src'))?.isFolder, true);
  });

  it('may begin with the name of a further folder, as they are suggested', async () => {
    assert.equal((await find('docs/prices.md'))?.path, path.join(folder, 'docs', 'prices.md'));
  });

  it('never lead out of those folders, and nowhere is nothing', async () => {
    for (const written of [
      '../secret',
      path.join(folder, 'secret'),
      'link',
      'a\0b',
      'nowhere.ts',
    ]) {
      assert.equal(await find(written), undefined, written);
    }
  });
});
