import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readBranchState } from '../../../../../src/features/worktrees/model/branchState';
import type { WorktreeState } from '../../../../../src/model/places/providedWorktreeStates';
import { worktreeLines, worktreeMark } from '../../../../../src/views/worktreeWords';
import { posixOnly } from '../../../../support/posixOnly';
import { WorktreeWorld } from './worktreeWorld';

describe('the state of a worktree’s branch', () => {
  let world: WorktreeWorld;
  let project: string;
  let tree: string;

  beforeEach(async () => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    tree = await world.add(project, 'x');
  });
  afterEach(() => world.close());

  const read = (top = tree): Promise<WorktreeState> => readBranchState(world.model, { top });

  it('counts commits on both sides, and files that aren’t committed, new ones too', async () => {
    const fresh = { branch: 'x', base: 'main', ahead: 0, behind: 0, uncommitted: 0 };
    assert.deepEqual(await read(), { ...fresh, isMerged: false });
    assert.equal(worktreeMark(await read()), '');
    world.commit(project, { 'c.txt': 'c\n' });
    assert.equal((await read()).isMerged, false, 'it had no commits, although main has all');
    world.commit(tree, { 'a.txt': 'A\n' });
    world.commit(tree, { 'a.txt': 'AA\n' });
    world.write(path.join(tree, 'b.txt'), 'B\n');
    world.write(path.join(tree, 'new.txt'), 'new\n');
    const state = { ...fresh, ahead: 2, behind: 1, uncommitted: 2, isMerged: false };
    assert.deepEqual(await read(), state);
    assert.equal(worktreeMark(state), '↑2 ↓1 · 2 uncommitted');
    assert.deepEqual(worktreeLines(state), [
      'Worktree on branch x',
      'Commits that main doesn’t have: 2',
      'New commits of main: 1',
      'Files that aren’t committed: 2',
    ]);
  });

  it('knows when it is merged: as it is, as one commit, and at the remote', async () => {
    world.commit(tree, { 'a.txt': 'A\n' });
    world.commit(tree, { 'new.txt': 'new\n' });
    world.commit(project, { 'c.txt': 'c\n' });
    assert.equal((await read()).isMerged, false);
    world.git(project, 'merge', '-q', '--squash', 'x');
    world.git(project, 'commit', '-q', '-m', 'All of it');
    const squashed = await read();
    assert.deepEqual([squashed.ahead, squashed.isMerged], [2, true]);
    assert.equal(worktreeMark(squashed), 'merged');
    world.git(project, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    world.git(project, 'config', 'remote.origin.url', world.at('nowhere'));
    world.git(project, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    world.git(project, 'config', 'branch.main.remote', 'origin');
    world.git(project, 'config', 'branch.main.merge', 'refs/heads/main');
    world.git(project, 'reset', '-q', '--hard', 'HEAD~1');
    assert.equal((await read()).isMerged, true, 'by what was fetched');
    world.git(project, 'merge', '-q', 'x', '-m', 'Merge');
    assert.equal((await read()).isMerged, true);
  });

  it('is that of a detached one, and of one without a base', async () => {
    world.git(tree, 'checkout', '-q', '--detach');
    assert.equal((await read()).branch, undefined);
    world.git(project, 'worktree', 'add', '-q', world.at('other'), '-b', 'other');
    assert.equal((await read(world.at('other'))).base, 'main', 'made elsewhere');
  });

  posixOnly('SEC-357: is read without running what the repository configures', async () => {
    const mark = world.at('ran');
    const run = world.program('run', `echo "$0" >> ${mark}; cat`);
    world.commit(tree, { '.gitattributes': '*.txt filter=evil diff=evil\n' });
    for (const [name, value] of [
      ['filter.evil.clean', run],
      ['filter.evil.process', run],
      ['filter.evil.required', 'true'],
      ['diff.evil.textconv', run],
      ['diff.external', run],
      ['core.fsmonitor', run],
      ['gpg.program', run],
      ['log.showSignature', 'true'],
    ]) {
      world.git(project, 'config', name ?? '', value ?? '');
    }
    world.write(path.join(tree, 'a.txt'), 'changed, and not committed\n');
    assert.deepEqual((await read()).uncommitted, 1);
    assert.ok(!existsSync(mark));
    world.git(project, 'config', 'filter.a=b.clean', run);
    await assert.rejects(read());
    assert.ok(!existsSync(mark));
  });
});
