import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isSharedFolder } from '../../../../../src/features/sharing/model/sharedFolders';
import { realPath } from '../../../../../src/platform/files/realPath';

describe('the folders of an agent that is shared', () => {
  let base: string;
  let workspace: { folders: { name: string; path: string }[] };
  beforeEach(async () => {
    base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-shared-')));
    for (const folder of ['project/below', 'project-other', 'secret']) {
      await mkdir(path.join(base, folder), { recursive: true });
    }
    workspace = { folders: [{ name: 'project', path: path.join(base, 'project') }] };
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const isShared = (...parts: readonly string[]) =>
    isSharedFolder(parts.join('/'), workspace, realPath);

  it('are those of the window and below', async () => {
    assert.equal(await isShared(base, 'project'), true);
    assert.equal(await isShared(base, 'project/below'), true);
    assert.equal(await isShared(base), false);
    assert.equal(await isShared(base, 'project-other'), false);
    assert.equal(await isShared(base, 'project/../secret'), false);
    assert.equal(await isShared('project'), false, 'relative');
    assert.equal(await isShared(''), false);
    workspace.folders = [];
    assert.equal(await isShared(base, 'project'), false);
  });

  it('SEC-159: and not one that a link leads out of them', async () => {
    // On Windows, only junctions need no privilege.
    await symlink(path.join(base, 'secret'), path.join(base, 'project', 'link'), 'junction');
    assert.equal(await isShared(base, 'project/link'), false);
    await mkdir(path.join(base, 'secret', 'deep'));
    assert.equal(await isShared(base, 'project/link/deep'), false);
    assert.equal(await isShared(base, 'project/link/none yet'), false);
  });

  it('SEC-159: and none with `..`, which behind a link leads elsewhere than its text says', async () => {
    await mkdir(path.join(base, 'secret', 'deep'));
    await symlink(
      path.join(base, 'secret', 'deep'),
      path.join(base, 'project', 'link'),
      'junction',
    );
    for (const folder of [
      ...['link/..', 'link/../', 'link/../below', 'below/../link/..', 'none yet/../link/..'],
      ...['below/..', '..', '../project', '../project/below'],
    ]) {
      assert.equal(await isShared(base, 'project', folder), false, folder);
    }
    await mkdir(path.join(base, 'project', '..below'));
    assert.equal(await isShared(base, 'project/..below'), true, 'a name that only begins so');
  });
});
