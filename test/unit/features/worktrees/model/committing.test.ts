import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  commitChanges,
  readCommittable,
} from '../../../../../src/features/worktrees/model/committing';
import { getTrustedBase } from '../../../../../src/features/worktrees/model/pullRequests';
import {
  commitHooks,
  type RunByGit,
  readRunByGit,
} from '../../../../../src/features/worktrees/model/runByGit';
import { findRepository, type Repository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { posixOnly } from '../../../../support/posixOnly';
import { problemOf, WorktreeWorld } from './worktreeWorld';

describe('a commit in a worktree', () => {
  let world: WorktreeWorld;
  let project: string;
  let place: Repository;

  beforeEach(async () => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    hook(project, '.husky/pre-commit', 'exit 0');
    world.commit(project, {});
    await useTree('x');
  });
  afterEach(() => world.close());

  async function useTree(branch: string): Promise<void> {
    const found = await findRepository(await world.add(project, branch), realPath);
    assert.ok(found);
    place = found;
  }

  function hook(top: string, name: string, script: string): void {
    world.write(path.join(top, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(top, name), 0o755);
  }

  const show = (...args: string[]): string => world.git(place.top, 'show', '--format=%B', ...args);
  const readRuns = async (): Promise<RunByGit> =>
    readRunByGit(world.model, place, await getTrustedBase(world.model, place), {
      names: commitHooks,
      realPath,
    });

  it('has all that was shown, or what is staged, whatever files are called', async () => {
    world.write(path.join(place.top, 'a.txt'), 'A\n');
    world.git(place.top, 'add', 'a.txt');
    world.write(path.join(place.top, ':(exclude)*'), 'a name that looks like a pattern\n');
    rmSync(path.join(place.top, 'b.txt'));
    const found = await readCommittable(world.model, place);
    assert.deepEqual(found.all.toSorted(), [':(exclude)*', 'a.txt', 'b.txt']);
    assert.deepEqual(found.staged, ['a.txt']);
    await commitChanges(world.model, place, '--amend\n\nNo option', []);
    assert.match(show('--name-only'), /^--amend\n\nNo option\n+a\.txt\n$/);
    const rest = (await readCommittable(world.model, place)).all;
    world.write(path.join(place.top, 'later.txt'), 'nobody has seen it\n');
    await commitChanges(world.model, place, 'The rest', rest);
    assert.match(show('--name-only', '--no-renames'), /^The rest\n+:\(exclude\)\*\nb\.txt\n$/);
    assert.deepEqual((await readCommittable(world.model, place)).all, ['later.txt']);
    assert.equal(await problemOf(commitChanges(world.model, place, ' \n', [])), 'failed');
  });

  posixOnly('SEC-358: runs the user’s own hooks, and says what they say', async () => {
    hook(project, '.git/hooks/pre-commit', 'echo "no tests" >&2; exit 1');
    const runs = await readRuns();
    assert.deepEqual(runs, { hooks: ['pre-commit'], changed: [] });
    world.write(path.join(place.top, 'a.txt'), 'A\n');
    await assert.rejects(commitChanges(world.model, place, 'No', ['a.txt']), /no tests/);
    assert.deepEqual((await readCommittable(world.model, place)).staged, ['a.txt']);
  });

  posixOnly('SEC-358: knows hooks in the worktree that aren’t as in the base', async () => {
    world.git(project, 'config', 'core.hooksPath', '.husky');
    assert.deepEqual(await readRuns(), { hooks: ['pre-commit'], changed: [] });
    hook(place.top, '.husky/pre-commit', `touch ${world.at('ran')}`);
    assert.deepEqual((await readRuns()).changed, ['.husky/pre-commit']);
    world.commit(place.top, {});
    assert.deepEqual((await readRuns()).changed, ['.husky/pre-commit'], 'committed, too');
    rmSync(world.at('ran'), { force: true });
    hook(place.top, '.husky/pre-commit', 'exit 0');
    hook(place.top, '.husky/commit-msg', 'exit 0');
    assert.deepEqual((await readRuns()).changed, ['.husky/commit-msg'], 'Git doesn’t have it');
    hook(project, '.husky/commit-msg', 'exit 0');
    assert.deepEqual((await readRuns()).changed, [], 'it is as in the main worktree');
    assert.ok(!existsSync(world.at('ran')));
  });

  posixOnly(
    'SEC-358: knows settings of the worktree alone, and files there that are included',
    async () => {
      world.git(project, 'config', 'extensions.worktreeConfig', 'true');
      world.git(place.top, 'config', '--worktree', 'core.sparseCheckout', 'false');
      assert.deepEqual((await readRuns()).changed, []);
      world.git(place.top, 'config', '--worktree', 'core.hooksPath', world.at('evil'));
      assert.deepEqual((await readRuns()).changed, ['core.hookspath']);
      world.git(place.top, 'config', '--worktree', '--unset', 'core.hooksPath');
      world.write(path.join(place.top, 'more.config'), '[gpg]\n\tprogram = evil\n');
      world.git(project, 'config', 'include.path', path.join(place.top, 'more.config'));
      assert.deepEqual((await readRuns()).changed, ['more.config']);
    },
  );
});
