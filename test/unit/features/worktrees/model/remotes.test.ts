import assert from 'node:assert/strict';
import {
  pullRequestAddress,
  readRemotes,
} from '../../../../../src/features/worktrees/model/remotes';
import { findRepository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { WorktreeWorld } from './worktreeWorld';

describe('the remotes of a worktree', () => {
  const page = (address: string, into = 'main', from = 'a/b&c'): string =>
    pullRequestAddress(address, into, from) ?? 'unknown';

  it('have pages for pull requests where that is known', () => {
    const github = 'https://github.com/o/r.n/compare/main...a/b%26c?expand=1';
    for (const address of [
      'https://github.com/o/r.n.git',
      'https://me:secret@github.com/o/r.n',
      'git@github.com:o/r.n.git',
      'ssh://git@github.com:22/o/r.n.git/',
    ]) {
      assert.equal(page(address), github);
    }
    assert.equal(
      pullRequestAddress('git@github.com:o/r', undefined, 'x'),
      'https://github.com/o/r/compare/x?expand=1',
    );
    assert.equal(
      page('git@gitlab.com:group/sub/r.git'),
      'https://gitlab.com/group/sub/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb%26c&merge_request%5Btarget_branch%5D=main',
    );
    assert.equal(
      page('https://bitbucket.org/o/r.git'),
      'https://bitbucket.org/o/r/pull-requests/new?source=a%2Fb%26c&dest=main',
    );
    const azure =
      'https://dev.azure.com/o/p%20q/_git/r/pullrequestcreate?sourceRef=x&targetRef=main';
    assert.equal(page('https://me@dev.azure.com/o/p%20q/_git/r', 'main', 'x'), azure);
    assert.equal(page('git@ssh.dev.azure.com:v3/o/p%20q/r', 'main', 'x'), azure);
    assert.equal(
      page('https://codeberg.org/o/r', 'main', 'x'),
      'https://codeberg.org/o/r/compare/main...x',
    );
  });

  it('SEC-359: have none at unknown hosts, and for what is no plain address', () => {
    for (const address of [
      'https://example.com/o/r.git',
      'https://github.com.evil.com/o/r',
      'https://evil.com/?github.com/o/r',
      'http://github.com/o/r',
      'https://github.com/../r',
      'https://github.com/o/%2e%2e/r',
      'https://github.com/o/r?x#y',
      'https://github.com/o',
      'ext::sh -c evil',
      'file:///github.com/o/r',
      '/tmp/github.com:o/r',
      `https://github.com/${'o/'.repeat(100_000)}\n`,
    ]) {
      assert.equal(page(address), 'unknown', address.slice(0, 80));
    }
  });

  it('SEC-359: are shown without passwords, the one that the branch follows first', async () => {
    const world = new WorktreeWorld();
    try {
      const project = world.repository('project', { 'a.txt': 'a\n' });
      const place = await findRepository(await world.add(project, 'x'), realPath);
      assert.ok(place);
      world.git(project, 'remote', 'add', 'a', 'https://me:secret@github.com/o/r.git');
      world.git(project, 'remote', 'add', 'b', 'git@github.com:o/r.git');
      world.git(project, 'remote', 'add', 'c', 'https://ghp_token@github.com/o/r.git');
      world.git(project, 'config', 'branch.x.remote', 'b');
      world.git(project, 'update-ref', 'refs/remotes/b/x', 'x');
      world.git(project, 'config', 'remote.--upload-pack=evil.url', 'https://github.com/o/r.git');
      assert.deepEqual(await readRemotes(world.model, place, 'x'), [
        { name: 'b', address: 'git@github.com:o/r.git', hasAll: true },
        { name: 'a', address: 'https://github.com/o/r.git', hasAll: false },
        { name: 'c', address: 'https://github.com/o/r.git', hasAll: false },
      ]);
    } finally {
      await world.close();
    }
  });
});
