import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { KnownWorktrees } from '../../../../src/model/places/knownWorktrees';
import { realPath } from '../../../../src/platform/files/realPath';
import { Emitter } from '../../../../src/util/emitter';
import { FakeWorkspace } from '../fakePlatform';

describe('known work trees', () => {
  let top: string;
  let known: KnownWorktrees;
  const workspace = new FakeWorkspace();
  const changed = new Emitter<void>();
  const settings = { showsWorktrees: true, onDidChangeShowsWorktrees: changed.event };

  beforeEach(() => {
    top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-worktrees-')));
    mkdirSync(path.join(top, 'repo'));
    git('init');
    git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'First');
    git('worktree', 'add', path.join(top, 'one'));
    settings.showsWorktrees = true;
    known = new KnownWorktrees({ workspace, realPath, settings });
  });
  afterEach(() => {
    known.dispose();
    rmSync(top, { recursive: true, force: true });
  });

  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: path.join(top, 'repo'), stdio: 'pipe' });
  }

  function open(...names: string[]): void {
    workspace.folders = names.map((name) => ({ name, path: path.join(top, name) }));
  }

  function below(name: string): string[] {
    const trees = known.below({ name, path: path.join(top, name) });
    return trees.map((tree) => path.basename(tree.path));
  }

  async function read(name: string): Promise<string[]> {
    const done = new Promise<void>((resolve) => {
      const listener = known.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
    assert.deepEqual(below(name), [], 'nobody waits for the disk');
    await done;
    return below(name);
  }

  it('are read when they are first looked at', async () => {
    open('repo');
    assert.deepEqual(await read('repo'), ['one']);
  });

  it('are those that aren’t open themselves', async () => {
    git('worktree', 'add', path.join(top, 'two'));
    open('repo', 'two');
    assert.deepEqual(await read('repo'), ['one']);
  });

  it('stand under the first folder of their repository only', async () => {
    mkdirSync(path.join(top, 'repo', 'docs'));
    open('repo', 'repo/docs');
    await read('repo');
    below('repo/docs');
    await known.refresh();
    assert.deepEqual([below('repo'), below('repo/docs')], [['one'], []]);
  });

  it('come and go with a refresh', async () => {
    open('repo');
    await read('repo');
    git('worktree', 'add', path.join(top, 'two'));
    git('worktree', 'remove', path.join(top, 'one'));
    await known.refresh();
    assert.deepEqual(below('repo'), ['two']);
  });

  it('go with the setting', async () => {
    open('repo');
    await read('repo');
    let fired = false;
    known.onDidChange(() => (fired = true));
    settings.showsWorktrees = false;
    changed.fire();
    assert.deepEqual([fired, below('repo')], [true, []]);
  });
});
