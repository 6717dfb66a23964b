import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import {
  isLossy,
  type Losses,
  readLosses,
  removeWorktree,
} from '../../../../../src/features/worktrees/model/removeWorktree';
import { findRepository, type Repository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { problemOf, WorktreeWorld } from './worktreeWorld';

describe('removing a worktree', () => {
  let world: WorktreeWorld;
  let project: string;

  beforeEach(() => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', '.gitignore': 'built/\n' });
  });
  afterEach(() => world.close());

  async function placeOf(folder: string): Promise<Repository> {
    const place = await findRepository(folder, realPath);
    assert.ok(place);
    return place;
  }

  async function look(folder: string, ...elsewhere: readonly string[]): Promise<Losses> {
    return readLosses(world.model, await placeOf(folder), elsewhere);
  }

  const namesIn = ({ uncommitted }: Losses): readonly string[] =>
    uncommitted.map(({ name }) => name).sort();

  async function remove(folder: string, losses: Losses, withBranch = false): Promise<void> {
    await removeWorktree(world.model, await placeOf(folder), losses, { withBranch });
  }

  const branches = (): string =>
    world.git(project, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');

  it('keeps the branch, and loses nothing if all is committed', async () => {
    const tree = await world.add(project, 'done');
    world.commit(tree, { 'b.txt': 'b\n' });
    world.write(path.join(tree, 'built', 'out'), 'x');
    const losses = await look(tree);
    assert.equal(losses.branch, 'done');
    assert.deepEqual(losses.uncommitted, []);
    assert.deepEqual(losses.ignored, ['built/']);
    assert.deepEqual([losses.unmerged, losses.unpushed], [1, 2]);
    assert.ok(!isLossy(losses, false) && isLossy(losses, true), 'only with its branch');
    await remove(tree, losses);
    assert.ok(!existsSync(tree));
    assert.equal(branches(), 'done\nmain\n');
    assert.equal(world.git(project, 'worktree', 'list').split('\n').length, 2);
  });

  it('SEC-74: says what isn’t committed, new files too, and loses it only then', async () => {
    const tree = await world.add(project, 'dirty');
    world.write(path.join(tree, 'a.txt'), 'changed\n');
    world.write(path.join(tree, 'new folder', 'ü.txt'), 'new\n');
    const losses = await look(tree);
    assert.deepEqual(namesIn(losses), ['a.txt', 'new folder/ü.txt']);
    assert.ok(isLossy(losses, false));
    world.write(path.join(tree, 'later.txt'), 'written while the user was asked\n');
    assert.equal(await problemOf(remove(tree, losses)), 'changedMeanwhile');
    assert.ok(existsSync(path.join(tree, 'later.txt')));
    await remove(tree, await look(tree));
    assert.ok(!existsSync(tree));
  });

  it('SEC-74: doesn’t lose what the workspace has, too, byte by byte', async () => {
    const tree = await world.add(project, 'applied');
    for (const top of [tree, project]) {
      world.write(path.join(top, 'a.txt'), 'changed\n');
      world.write(path.join(top, 'new\nline “x”.txt'), 'new\n');
    }
    const applied = await look(tree, project);
    assert.deepEqual(
      applied.uncommitted.map(({ kind, isLost }) => [kind, isLost]),
      [
        ['modified', false],
        ['added', false],
      ],
    );
    assert.ok(!isLossy(applied, false));
    world.write(path.join(project, 'a.txt'), 'changed, and more\n');
    assert.deepEqual(
      (await look(tree, project)).uncommitted.filter(({ isLost }) => isLost).map((it) => it.name),
      ['a.txt'],
    );
    const options = { withBranch: false, elsewhere: [project] };
    const place = await placeOf(tree);
    const removed = removeWorktree(world.model, place, applied, options);
    assert.equal(await problemOf(removed), 'changedMeanwhile', 'it would be lost now');
    world.write(path.join(project, 'a.txt'), 'changed\n');
    await removeWorktree(world.model, place, applied, options);
    assert.ok(!existsSync(tree));
  });

  it('loses a link, a folder of another repository, and what is executable only here', async () => {
    const tree = await world.add(project, 'odd');
    for (const top of [tree, project]) {
      symlinkSync('a.txt', path.join(top, 'link'));
      world.write(path.join(top, 'run'), '#!/bin/sh\n');
      rmSync(path.join(top, 'a.txt'));
    }
    chmodSync(path.join(tree, 'run'), 0o755);
    assert.deepEqual(
      (await look(tree, project)).uncommitted.map(({ name, kind, isLost }) => [name, kind, isLost]),
      [
        ['a.txt', 'deleted', false],
        ['link', 'added', true],
        ['run', 'added', true],
      ],
    );
  });

  it('loses what is only in its index, whatever the disk has', async () => {
    const tree = await world.add(project, 'staged');
    for (const name of ['a.txt', 'new.txt']) {
      world.write(path.join(tree, name), 'only staged\n');
      world.git(tree, 'add', name);
      world.write(path.join(tree, name), 'on both disks\n');
      world.write(path.join(project, name), 'on both disks\n');
    }
    world.write(path.join(tree, 'whole.txt'), 'on both disks\n');
    world.write(path.join(project, 'whole.txt'), 'on both disks\n');
    world.git(tree, 'add', 'whole.txt');
    assert.deepEqual(
      (await look(tree, project)).uncommitted.map(({ name, isLost }) => [name, isLost]),
      [
        ['a.txt', true],
        ['new.txt', true],
        ['whole.txt', false],
      ],
    );
  });

  it('names the commits that no other branch has', async () => {
    const tree = await world.add(project, 'ahead');
    world.commit(tree, { 'b.txt': 'b\n' });
    const { unmerged, unmergedCommits } = await look(tree);
    assert.deepEqual([unmerged, unmergedCommits.length], [1, 1]);
    assert.equal(
      world.git(tree, 'log', '-1', '--format=%h %s').trim(),
      `${unmergedCommits[0]?.id} ${unmergedCommits[0]?.subject}`,
    );
  });

  it('SEC-74: takes the branch with it on demand, merged or not, and never one that has gone on', async () => {
    const tree = await world.add(project, 'branch');
    const merged = await look(tree);
    assert.ok(!isLossy(merged, true), 'it has nothing of its own');
    world.commit(tree, { 'b.txt': 'b\n' });
    assert.equal(await problemOf(remove(tree, merged, true)), 'changedMeanwhile');
    assert.equal(branches(), 'branch\nmain\n');
    await remove(tree, await look(tree), true);
    assert.equal(branches(), 'main\n');
  });

  it('knows commits that are on no branch, and those that were pushed', async () => {
    const tree = await world.add(project, 'there');
    world.git(tree, 'checkout', '-q', '--detach');
    world.commit(tree, { 'b.txt': 'b\n' });
    const detached = await look(tree);
    assert.deepEqual([detached.branch, detached.unmerged], [undefined, 1]);
    assert.ok(isLossy(detached, false));
    const remote = world.at('remote.git');
    world.git(world.folder, 'clone', '-q', '--bare', project, remote);
    world.git(project, 'remote', 'add', 'origin', remote);
    const pushed = await world.add(project, 'pushed');
    world.commit(pushed, { 'c.txt': 'c\n' });
    world.git(pushed, 'push', '-q', 'origin', 'pushed');
    const losses = await look(pushed);
    assert.deepEqual([losses.unmerged, losses.unpushed], [0, 0]);
    assert.ok(!isLossy(losses, true));
  });

  it('knows submodules that are checked out, and locks', async () => {
    const part = world.repository('part', { 'p.txt': 'p\n' });
    world.git(project, 'submodule', '--quiet', 'add', part, 'part');
    world.git(project, 'commit', '-q', '-m', 'Part');
    const tree = await world.add(project, 'sub');
    assert.equal((await look(tree)).hasSubmodules, false);
    world.git(tree, 'submodule', '--quiet', 'update', '--init');
    const losses = await look(tree);
    assert.ok(losses.hasSubmodules && isLossy(losses, false));
    assert.equal(losses.locked, undefined);
    world.git(project, 'worktree', 'lock', '--reason', 'on a stick', tree);
    assert.equal((await look(tree)).locked, 'on a stick');
    world.git(project, 'worktree', 'unlock', tree);
    world.git(project, 'worktree', 'lock', tree);
    assert.equal((await look(tree)).locked, '');
    world.git(project, 'worktree', 'unlock', tree);
    await remove(tree, losses);
    assert.ok(!existsSync(tree));
  });

  it('SEC-74: waits for nobody’s lock: it says who works there, before anything is removed', async () => {
    const tree = await world.add(project, 'busy');
    const { directory } = await placeOf(tree);
    const losses = await look(tree);
    const index = path.join(directory, 'index.lock');
    world.write(index, '');
    for (const work of [look(tree), remove(tree, losses)]) {
      await assert.rejects(work, { problem: 'locked', message: /index\.lock exists/ });
    }
    rmSync(index);
    world.git(project, 'worktree', 'lock', '--reason', 'on a stick', tree);
    await assert.rejects(remove(tree, losses, true), {
      problem: 'lockedWorktree',
      message: /on a stick/,
    });
    assert.ok(existsSync(path.join(tree, 'a.txt')));
    assert.equal(branches(), 'busy\nmain\n');
  });

  it('SEC-72: takes no branch for an option, and no other branch with it', async () => {
    for (const name of ['-D', '--force']) {
      const tree = world.at(`tree${name}`);
      world.git(project, 'update-ref', `refs/heads/${name}`, 'HEAD');
      world.git(project, 'worktree', 'add', '-q', '--detach', tree);
      world.git(tree, 'symbolic-ref', 'HEAD', `refs/heads/${name}`);
      world.write(path.join(tree, 'new.txt'), 'new\n');
      const losses = await look(tree);
      assert.deepEqual([losses.branch, namesIn(losses)], [name, ['new.txt']]);
      assert.ok(isLossy(losses, false));
      await remove(tree, await look(tree), true);
      assert.ok(!existsSync(tree));
      assert.equal(branches(), 'main\n');
    }
  });
});
