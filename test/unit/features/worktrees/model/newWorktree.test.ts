import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  checkBranchName,
  proposedBranch,
} from '../../../../../src/features/worktrees/model/branchNames';
import {
  addWorktree,
  isFree,
  worktreeFolder,
} from '../../../../../src/features/worktrees/model/newWorktree';
import {
  type RepositoryFacts,
  readRepository,
} from '../../../../../src/features/worktrees/model/repositoryFacts';
import { posixOnly } from '../../../../support/posixOnly';
import { until } from '../../../../support/until';
import { problemOf, WorktreeWorld } from './worktreeWorld';

describe('the name of a worktree’s branch', () => {
  const free = () => false;

  it('is proposed from the words of the prompt', () => {
    assert.equal(proposedBranch('Fix the parser, please!', free), 'fix-the-parser-please');
    assert.equal(proposedBranch('Größe prüfen', free), 'große-prufen');
    assert.equal(proposedBranch('修复 解析器', free), '修复-解析器');
    assert.equal(proposedBranch('--upload-pack=evil @{-1} ..', free), 'upload-pack-evil-1');
    assert.equal(proposedBranch(' \n !?', free), '');
    const long = proposedBranch('word '.repeat(50_000), free);
    assert.ok(long.length <= 40, long);
    assert.equal(proposedBranch('x'.repeat(100), free).length, 40);
  });

  it('is one that no branch has', () => {
    const taken = new Set(['fix-it', 'fix-it-2']);
    assert.equal(
      proposedBranch('Fix it', (name) => taken.has(name)),
      'fix-it-3',
    );
  });
});

describe('a new worktree', () => {
  let world: WorktreeWorld;
  let facts: RepositoryFacts;
  let project: string;

  beforeEach(async () => {
    world = new WorktreeWorld();
    project = world.repository('project', { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    facts = await world.facts(project);
  });
  afterEach(() => world.close());

  const branches = (folder = project): string[] =>
    world
      .git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
      .split('\n')
      .slice(0, -1);

  it('has its branch at the base, in a folder beside the repository, and leaves the rest as it is', async () => {
    assert.equal(facts.head?.branch, 'main');
    const folder = worktreeFolder(facts, 'feature/one two', '');
    assert.equal(folder, world.at('project.worktrees', 'feature-one-two'));
    world.write(path.join(project, 'a.txt'), 'mine\n');
    const { commit } = facts.head;
    const base = { commit, ref: 'refs/heads/main' };
    const made = await addWorktree(world.model, facts, { branch: 'feature/one', folder, base });
    assert.equal(made, folder);
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'a\n');
    assert.equal(world.git(folder, 'symbolic-ref', '--short', 'HEAD'), 'feature/one\n');
    assert.equal(world.git(project, 'status', '--porcelain'), ' M a.txt\n');
    assert.deepEqual(branches(), ['feature/one', 'main']);
  });

  it('is where the setting says: absolute, at home, or from the main worktree', () => {
    const at = (setting: string): string => worktreeFolder(facts, 'x', setting);
    assert.equal(at(world.at('trees')), world.at('trees', 'project', 'x'));
    assert.equal(at('../trees'), world.at('trees', 'project', 'x'));
    assert.equal(at('~/trees'), path.join(world.at('home'), 'trees', 'project', 'x'));
    assert.equal(worktreeFolder(facts, '../../up', ''), world.at('project.worktrees', '--..-up'));
  });

  it('begins at any branch, at a commit on no branch, and from within a worktree', async () => {
    world.git(project, 'checkout', '-q', '-b', 'other');
    const there = world.commit(project, { 'c.txt': 'c\n' });
    world.git(project, 'checkout', '-q', 'main');
    const other = await world.add(project, 'from-other', {
      commit: there,
      ref: 'refs/heads/other',
    });
    assert.ok(existsSync(path.join(other, 'c.txt')));
    const again = await world.add(other, 'from-worktree');
    assert.ok(existsSync(path.join(again, 'c.txt')), 'current is what the worktree has');
    const inner = await world.facts(other);
    assert.equal(inner.main, project);
    world.git(project, 'checkout', '-q', '--detach', there);
    const detached = await world.facts(project);
    assert.deepEqual(detached.head, { branch: undefined, commit: there });
    assert.ok(existsSync(path.join(await world.add(project, 'from-commit'), 'c.txt')));
  });

  it('of a folder in the repository is that folder, if the base has it', async () => {
    const inner = await world.add(path.join(project, 'sub'), 'inner');
    assert.equal(path.basename(inner), 'sub');
    mkdirSync(path.join(project, 'new'));
    const outer = await world.add(path.join(project, 'new'), 'outer');
    assert.equal(path.basename(outer), 'outer');
  });

  it('knows the default branch, remote branches, and what is checked out where', async () => {
    const clone = world.at('clone');
    world.git(world.folder, 'clone', '-q', project, clone);
    await world.add(clone, 'mine');
    const cloned = await world.facts(clone);
    assert.equal(cloned.defaultBranch?.ref, 'refs/remotes/origin/main');
    assert.ok(cloned.hasRemotes && !facts.hasRemotes);
    const where = new Map(cloned.branches.map(({ ref, checkedOutIn }) => [ref, checkedOutIn]));
    assert.deepEqual(
      [...where].toSorted(),
      [
        ['refs/heads/main', clone],
        ['refs/heads/mine', world.at('trees', 'mine')],
        ['refs/remotes/origin/main', undefined],
      ].toSorted(),
    );
    assert.equal(facts.defaultBranch?.name, 'main');
  });

  it('SEC-72: takes names by git’s rules only, and no option for one', async () => {
    world.git(project, 'branch', 'there');
    world.git(project, 'branch', 'deep/down');
    const { branches: all } = await world.facts(project);
    const check = async (name: string) =>
      (await checkBranchName(world.model.in(project), name, { branches: all })).kind;
    assert.equal(await check('fine/name'), 'new');
    assert.equal(await check('große-prüfung'), 'new');
    assert.equal(await check('there'), 'existing');
    assert.equal(await check('main'), 'inUse');
    assert.equal(await check('deep'), 'inTheWay');
    assert.equal(await check('there/below'), 'inTheWay');
    const bad = [
      '-b',
      '-D',
      '--force',
      '--orphan',
      '--',
      '@',
      '@{-1}',
      'a b',
      'a..b',
      'a~1',
      'x.lock',
      '/x',
      'x/',
      '',
    ];
    for (const name of [...bad, 'HEAD', 'a\nb', 'a\0b', 'x'.repeat(400)]) {
      assert.equal(await check(name), 'invalid', JSON.stringify(name));
    }
  });

  it('can have a branch that exists', async () => {
    world.git(project, 'branch', 'there');
    const now = await world.facts(project);
    const folder = world.at('there');
    await addWorktree(world.model, now, { branch: 'there', folder, base: undefined });
    assert.equal(world.git(folder, 'symbolic-ref', '--short', 'HEAD'), 'there\n');
    const problem = problemOf(
      addWorktree(world.model, now, { branch: 'main', folder: world.at('x'), base: undefined }),
    );
    assert.equal(await problem, 'branchInUse');
    assert.deepEqual(branches(), ['main', 'there'], 'nobody’s branch was deleted');
  });

  it('says why there can be none: no repository, no commits, no git', async () => {
    mkdirSync(world.at('plain'));
    assert.equal(await problemOf(world.facts(world.at('plain'))), 'noRepository');
    mkdirSync(world.at('empty'));
    world.git(world.at('empty'), 'init', '-q');
    assert.equal(await problemOf(world.facts(world.at('empty'))), 'noCommits');
    assert.equal(
      await problemOf(world.facts(project, world.runner({ program: undefined }))),
      'noGit',
    );
    const gone = world.runner({ program: world.at('no', 'git') });
    assert.equal(await problemOf(world.facts(project, gone)), 'noGit');
  });

  it('says that a folder is in the way, and leaves it alone', async () => {
    const folder = world.at('taken');
    world.write(path.join(folder, 'mine.txt'), 'mine');
    assert.equal(await isFree(folder), false);
    const base = { commit: facts.head?.commit ?? '', ref: undefined };
    const adding = addWorktree(world.model, facts, { branch: 'x', folder, base });
    assert.equal(await problemOf(adding), 'folderExists');
    assert.deepEqual(readdirSync(folder), ['mine.txt']);
    assert.deepEqual(branches(), ['main']);
  });

  it('doesn’t take the place of one whose disk is away', async () => {
    const folder = await world.add(project, 'away');
    rmSync(folder, { recursive: true });
    const base = { commit: facts.head?.commit ?? '', ref: undefined };
    const adding = addWorktree(world.model, facts, { branch: 'x', folder, base });
    assert.equal(await problemOf(adding), 'registered');
    assert.match(world.git(project, 'worktree', 'list'), /away/);
    assert.deepEqual(branches(), ['away', 'main']);
  });

  it('says that another git holds a lock, and leaves nothing behind', async () => {
    writeFileSync(path.join(project, '.git', 'refs', 'heads', 'held.lock'), '');
    const adding = world.add(project, 'held');
    await assert.rejects(adding, { problem: 'locked', message: /held\.lock/ });
    assert.deepEqual(branches(), ['main']);
    assert.ok(!existsSync(world.at('trees')), 'nor the folder around it');
  });

  it('isn’t held up by the locks of other worktrees', async () => {
    writeFileSync(path.join(project, '.git', 'index.lock'), '');
    const other = await world.add(project, 'other');
    world.git(project, 'worktree', 'lock', other);
    assert.ok(existsSync(path.join(await world.add(other, 'free'), 'a.txt')));
    assert.ok(existsSync(path.join(project, '.git', 'index.lock')), 'nobody’s lock is removed');
  });

  it('doesn’t take the place of a locked one whose disk is away', async () => {
    const folder = await world.add(project, 'away');
    world.git(project, 'worktree', 'lock', folder);
    rmSync(folder, { recursive: true });
    const base = { commit: facts.head?.commit ?? '', ref: undefined };
    const adding = addWorktree(world.model, facts, { branch: 'x', folder, base });
    assert.equal(await problemOf(adding), 'registered');
    assert.match(world.git(project, 'worktree', 'list', '--porcelain'), /away\n[^]*locked/);
  });

  it('SEC-72: begins at a branch whose name is an option as at any other', async () => {
    world.git(project, 'update-ref', 'refs/heads/--force', 'HEAD');
    world.commit(project, { 'later.txt': 'later\n' });
    const { branches: all } = await world.facts(project);
    const base = all.find(({ name }) => name === '--force');
    assert.ok(base);
    const made = await world.add(project, 'from-option', base);
    assert.ok(!existsSync(path.join(made, 'later.txt')), 'it begins there');
    const noted = world.git(made, 'symbolic-ref', 'refs/worktree/acp-sessions/base');
    assert.equal(noted, 'refs/heads/--force\n');
    assert.deepEqual(branches(), ['--force', 'from-option', 'main']);
  });

  it('is made of a bare repository, and of one on an unborn branch with others beside', async () => {
    const bare = world.at('bare.git');
    world.git(world.folder, 'clone', '-q', '--bare', project, bare);
    const first = world.at('first');
    world.git(bare, 'worktree', 'add', '-q', first, 'main');
    const below = await world.facts(first);
    assert.equal(below.main, bare);
    assert.equal(worktreeFolder(below, 'x', ''), world.at('bare.worktrees', 'x'));
    assert.ok(existsSync(path.join(await world.add(first, 'of-bare'), 'a.txt')));
    world.git(project, 'symbolic-ref', 'HEAD', 'refs/heads/unborn');
    const unborn = await world.facts(project);
    assert.equal(unborn.head, undefined);
    const [main] = unborn.branches;
    assert.ok(main);
    assert.ok(existsSync(path.join(await world.add(project, 'of-unborn', main), 'a.txt')));
  });

  posixOnly('is canceled, or given up after a time, without a trace', async () => {
    const slow = world.program(
      'slow',
      // Git has made the branch and begun with the files when it is stopped.
      'case "$*" in *"worktree add"*) git "$@"; touch "$0.begun"; sleep 600;; *) exec git "$@";; esac',
    );
    const abort = new AbortController();
    const wanted = (branch: string) => ({
      branch,
      folder: world.at('trees', branch),
      base: { commit: facts.head?.commit ?? '', ref: 'refs/heads/main' },
    });
    const canceled = problemOf(
      addWorktree(world.runner({ program: slow, signal: abort.signal }), facts, wanted('canceled')),
    );
    await until(() => existsSync(`${slow}.begun`));
    abort.abort();
    assert.equal(await canceled, 'cancelled');
    const limits = { readMs: 30_000, workMs: 1_000 };
    const late = addWorktree(world.runner({ program: slow, limits }), facts, wanted('late'));
    assert.equal(await problemOf(late), 'timeout');
    assert.deepEqual(branches(), ['main']);
    assert.ok(!existsSync(world.at('trees')));
    assert.equal(world.git(project, 'worktree', 'list').split('\n').length, 2);
  });

  posixOnly('SEC-132: ends a git that doesn’t answer', async () => {
    const stuck = world.program('stuck', 'sleep 600');
    const limits = { readMs: 300, workMs: 300 };
    const facts_ = world.facts(project, world.runner({ program: stuck, limits }));
    assert.equal(await problemOf(facts_), 'timeout');
  });

  it('gives up a disk that doesn’t answer', async () => {
    const git = world.runner({ limits: { readMs: 300, workMs: 300 } });
    const silent = () => new Promise<never>(() => undefined);
    await assert.rejects(readRepository(project, git, silent), {
      problem: 'noDisk',
      message: /disk doesn’t answer: .*project/,
    });
  });

  posixOnly(
    'SEC-132: runs the hook that the user’s own git would run, and is gone if it refuses',
    async () => {
      const hook = path.join(project, '.git', 'hooks', 'post-checkout');
      world.write(hook, '#!/bin/sh\necho ran > from-hook.txt\n', 0o755);
      const made = await world.add(project, 'hooked');
      assert.equal(readFileSync(path.join(made, 'from-hook.txt'), 'utf8'), 'ran\n');
      world.write(hook, '#!/bin/sh\necho "no checkout today" >&2; exit 1\n', 0o755);
      await assert.rejects(world.add(project, 'refused'), /no checkout today/);
      assert.deepEqual(branches(), ['hooked', 'main']);
    },
  );

  it('of a submodule is beside the repository around it, not in it', async () => {
    const outer = world.repository('outer', { 'x.txt': 'x\n' });
    world.git(outer, 'submodule', '--quiet', 'add', project, 'part');
    world.git(outer, 'commit', '-q', '-m', 'Part');
    const part = await world.facts(path.join(outer, 'part'));
    assert.equal(part.main, path.join(outer, 'part'));
    assert.equal(worktreeFolder(part, 'x', ''), world.at('part.worktrees', 'x'));
    const made = await world.add(path.join(outer, 'part'), 'x');
    assert.ok(existsSync(path.join(made, 'a.txt')));
    const whole = await world.add(outer, 'whole');
    assert.deepEqual(readdirSync(path.join(whole, 'part')), [], 'not checked out unasked');
    assert.equal(world.git(outer, 'status', '--porcelain'), '');
  });

  it('SEC-132: ignores the variables that would lead git elsewhere', async () => {
    const other = world.repository('other', { 'o.txt': 'o\n' });
    process.env['GIT_DIR'] = path.join(other, '.git');
    try {
      const now = await world.facts(project);
      assert.equal(now.head?.commit, facts.head?.commit);
    } finally {
      Reflect.deleteProperty(process.env, 'GIT_DIR');
    }
  });
});
