import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOrigin, readWorktrees } from '../../../../src/model/places/worktrees';
import { realPath } from '../../../../src/platform/files/realPath';
import { posixOnly } from '../../../support/posixOnly';
import { makePipe } from '../files/hostileFiles';

describe('work trees', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-worktrees-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (...names: string[]): string => path.join(folder, ...names);

  function git(cwd: string, ...args: string[]): void {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    const allowed = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];
    const config = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: os.devNull };
    // Neither hooks that are copied into each repository, nor a look at whether there is garbage after each commit.
    const env = { ...process.env, ...config, GIT_TEMPLATE_DIR: '' };
    const quick = ['-c', 'maintenance.auto=false'];
    execFileSync('git', [...author, ...allowed, ...quick, ...args], { cwd, env, stdio: 'pipe' });
  }

  /** A repository with one commit. */
  function repository(name: string): string {
    mkdirSync(at(name));
    git(at(name), 'init');
    git(at(name), 'commit', '--allow-empty', '-m', 'First');
    return at(name);
  }

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  async function found(of: string): Promise<string[]> {
    const trees = await readWorktrees(of, realPath);
    return trees.map((tree) =>
      [
        path.relative(folder, tree.path),
        tree.branch ?? '-',
        ...(tree.isMain ? ['main tree'] : []),
      ].join(' '),
    );
  }

  posixOnly(
    'are none where what should be a file is a pipe or a device, and nothing waits',
    async () => {
      for (const name of ['HEAD', 'commondir', 'config']) {
        const repo = repository(name);
        rmSync(path.join(repo, '.git', name), { force: true });
        makePipe(path.join(repo, '.git', name));
        assert.deepEqual(await found(repo), []);
      }
      mkdirSync(at('pipe'));
      makePipe(at('pipe', '.git'));
      mkdirSync(at('zero'));
      symlinkSync('/dev/zero', at('zero', '.git'));
      assert.deepEqual([await found(at('pipe')), await found(at('zero'))], [[], []]);
    },
  );

  it('V2-NEW-4: have the settings of the workspace folder that they are of', async () => {
    const repo = repository('repo');
    const other = repository('other');
    mkdirSync(path.join(repo, 'below'));
    git(repo, 'worktree', 'add', at('tree'));
    mkdirSync(at('tree', 'below'));
    const of = (tree: string, ...folders: readonly string[]) => findOrigin(tree, folders, realPath);
    assert.equal(await of(at('tree'), other, repo), repo);
    assert.equal(await of(at('tree', 'below'), path.join(repo, 'below')), path.join(repo, 'below'));
    assert.equal(await of(at('tree'), other), at('tree'));
    assert.equal(await of(at('tree'), repo, at('tree')), at('tree'));
    assert.equal(await of(at('nowhere'), repo), at('nowhere'));
  });

  it('has no trouble with a configuration of one long line', async () => {
    const repo = repository('repo');
    write(path.join(repo, '.git', 'config'), `[core]\nworktree = x${' '.repeat(130_000)}x`);
    assert.deepEqual(await found(repo), []);
  });

  it('are found from the main one, from a linked one and from a folder inside', async () => {
    const repo = repository('repo');
    git(repo, 'worktree', 'add', '-b', 'feature/x', at('repo-x'));
    git(repo, 'worktree', 'add', '--detach', at('repo y #1 %20'));
    write(at('repo', 'docs', 'a.md'), '');
    write(at('repo-x', 'docs', 'a.md'), '');
    assert.deepEqual(await found(repo), ['repo-x feature/x', 'repo y #1 %20 -']);
    assert.deepEqual(await found(at('repo-x')), ['repo main main tree', 'repo y #1 %20 -']);
    assert.deepEqual(
      await found(at('repo', 'docs')),
      ['repo-x/docs feature/x', 'repo y #1 %20 -'],
      'the same folder of the other one, where it is there',
    );
  });

  it('are none where a folder is in no repository, is gone, or has only itself', async () => {
    assert.deepEqual(await found(repository('repo')), []);
    mkdirSync(at('plain'));
    assert.deepEqual(await found(at('plain')), []);
    assert.deepEqual(await found(at('gone')), []);
  });

  it('are left out when they are gone', async () => {
    const repo = repository('repo');
    git(repo, 'worktree', 'add', at('one'));
    git(repo, 'worktree', 'add', at('two'));
    rmSync(at('one'), { recursive: true });
    assert.deepEqual(await found(repo), ['two two']);
  });

  it('are found behind a symbolic link, under their real path', async () => {
    const repo = repository('repo');
    git(repo, 'worktree', 'add', at('one'));
    symlinkSync(repo, at('link'));
    assert.deepEqual(await found(at('link')), ['one one']);
  });

  it('are those of the submodule in a submodule', async () => {
    const inner = repository('inner');
    const outer = repository('outer');
    git(outer, 'submodule', 'add', inner, 'sub');
    git(outer, 'worktree', 'add', at('outer-x'));
    git(at('outer', 'sub'), 'worktree', 'add', '-b', 'sub-x', at('sub-x'));
    assert.deepEqual(await found(at('outer', 'sub')), ['sub-x sub-x']);
    assert.deepEqual(await found(at('sub-x')), ['outer/sub main main tree']);
  });

  it('have no main one in a bare repository', async () => {
    repository('origin');
    mkdirSync(at('repo'));
    git(folder, 'clone', '--bare', at('origin'), at('repo', '.bare'));
    write(at('repo', '.git'), 'gitdir: ./.bare\n');
    git(at('repo'), 'worktree', 'add', '-b', 'one', at('repo', 'one'));
    git(at('repo'), 'worktree', 'add', '-b', 'two', at('repo', 'two'));
    assert.deepEqual(await found(at('repo', 'one')), ['repo/two two']);
    assert.deepEqual(await found(at('repo')), ['repo/one one', 'repo/two two']);
  });

  it('count only when they point back', async () => {
    const repo = repository('repo');
    const other = repository('other');
    write(at('repo', '.git', 'worktrees', 'liar', 'gitdir'), `${other}/.git\n`);
    write(at('repo', '.git', 'worktrees', 'liar', 'HEAD'), 'ref: refs/heads/x\n');
    write(at('repo', '.git', 'config'), `[core]\n\tworktree = ${other}\n`);
    assert.deepEqual(await found(repo), []);
  });

  it('cost nothing but themselves when git’s files are rubbish', async () => {
    const repo = repository('repo');
    git(repo, 'worktree', 'add', at('one'));
    const trees = at('repo', '.git', 'worktrees');
    write(path.join(trees, 'empty', 'gitdir'), '');
    write(path.join(trees, 'far', 'gitdir'), '//host/share/.git\n');
    write(path.join(trees, 'nul', 'gitdir'), `${folder}/a\0b/.git\n`);
    write(path.join(trees, 'long', 'gitdir'), `/${'a/'.repeat(40_000)}.git\n`);
    mkdirSync(path.join(trees, 'folder', 'gitdir'), { recursive: true });
    write(path.join(trees, 'file'), 'x');
    symlinkSync('loop', path.join(trees, 'loop'));
    write(at('repo', '.git', 'config'), '[[[\0= =\n[core\nworktree');
    assert.deepEqual(await found(repo), ['one one']);
    for (const text of ['gitdir:', 'gitdir: \0', 'gitdir: .', 'nothing', '']) {
      write(at('rubbish', '.git'), text);
      assert.deepEqual(await found(at('rubbish')), [], text);
    }
  });
});
