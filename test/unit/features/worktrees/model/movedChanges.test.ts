import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import {
  bringBack,
  carryOver,
  findSettled,
  type MovedFile,
  planMove,
  readUncommitted,
  takeBack,
} from '../../../../../src/features/worktrees/model/movedChanges';
import {
  addWorktree,
  discardWorktree,
  type NewWorktree,
} from '../../../../../src/features/worktrees/model/newWorktree';
import type { RepositoryFacts } from '../../../../../src/features/worktrees/model/repositoryFacts';
import { DiskFiles } from '../../../../support/diskFiles';
import { posixOnly } from '../../../../support/posixOnly';
import { problemOf, WorktreeWorld } from './worktreeWorld';

describe('uncommitted changes that are moved to a new worktree', () => {
  let world: WorktreeWorld;
  let project: string;
  let facts: RepositoryFacts;
  let files: DiskFiles;
  let wanted: NewWorktree;

  beforeEach(async () => {
    world = new WorktreeWorld();
    files = new DiskFiles();
    const binary = Buffer.from([0, 1, 2]);
    project = world.repository('project', {
      'a.txt': 'a\n',
      'sub/gone.txt': 'gone\n',
      'x.bin': binary,
    });
    facts = await world.facts(project);
    const { head } = facts;
    assert.ok(head);
    const base = { commit: head.commit, ref: 'refs/heads/main' };
    wanted = { branch: 'moved', folder: world.at('moved'), base };
  });
  afterEach(() => world.close());

  const inProject = (name: string): string => path.join(project, ...name.split('/'));
  const inTree = (name: string): string => path.join(wanted.folder, ...name.split('/'));
  const status = (folder = project): string => world.git(folder, 'status', '--porcelain', '-uall');

  async function plan(...names: readonly string[]) {
    const found = await readUncommitted(world.model, facts, facts.head?.commit ?? '');
    const chosen = found.changes.filter(({ name }) => names.includes(name));
    return { found, ...(await planMove(world.model, facts, chosen, files)) };
  }

  async function carry(...names: readonly string[]): Promise<readonly MovedFile[]> {
    const { files: moved, left } = await plan(...names);
    assert.deepEqual(left, []);
    await addWorktree(world.model, facts, wanted);
    await carryOver(moved, wanted.folder);
    return moved;
  }

  it('are there as they were, new, deleted and binary files too, and undone as a whole', async () => {
    world.write(inProject('a.txt'), 'A\n');
    world.write(inProject('new/n.txt'), 'new\n');
    world.write(inProject('other.txt'), 'other\n');
    world.write(inProject('x.bin'), Buffer.from([0, 9]));
    rmSync(inProject('sub'), { recursive: true });
    const before = status();
    const moved = await carry('a.txt', 'new/n.txt', 'sub/gone.txt', 'x.bin');
    assert.equal(status(), before, 'they are taken back only then');
    assert.deepEqual(await takeBack(moved, files), []);
    assert.equal(status(), '?? other.txt\n');
    assert.equal(readFileSync(inProject('sub/gone.txt'), 'utf8'), 'gone\n');
    assert.equal(status(wanted.folder), ' M a.txt\n D sub/gone.txt\n M x.bin\n?? new/n.txt\n');
    assert.deepEqual([...readFileSync(inTree('x.bin'))], [0, 9]);
    assert.deepEqual(await bringBack(moved, files), []);
    assert.equal(status(), before);
  });

  it('SEC-351: stay in the folder, too, where a file has changed since', async () => {
    world.write(inProject('a.txt'), 'A\n');
    world.write(inProject('n.txt'), 'new\n');
    const moved = await carry('a.txt', 'n.txt');
    world.write(inProject('a.txt'), 'by somebody else\n');
    assert.deepEqual(await takeBack(moved, files), [{ name: 'a.txt', reason: 'changedSince' }]);
    assert.equal(readFileSync(inProject('a.txt'), 'utf8'), 'by somebody else\n');
    assert.equal(status(), ' M a.txt\n');
    assert.equal(readFileSync(inTree('a.txt'), 'utf8'), 'A\n');
  });

  it('aren’t moved if they are staged, unsaved in an editor, no files, or too large', async () => {
    world.write(inProject('a.txt'), 'A\n');
    world.git(project, 'add', 'a.txt');
    world.write(inProject('n.txt'), 'new\n');
    files.unsaved.set(inProject('n.txt'), 'unsaved\n');
    world.write(inProject('large.txt'), 'large\n');
    const look = files.look.bind(files);
    files.look = (file) =>
      file.endsWith('large.txt')
        ? Promise.resolve({ kind: 'untouchable', reason: 'tooLarge' })
        : look(file);
    rmSync(inProject('x.bin'));
    mkdirSync(inProject('x.bin'));
    const { found, left, files: moved } = await plan('n.txt', 'large.txt', 'x.bin');
    assert.deepEqual(found.left, [{ name: 'a.txt', reason: 'staged' }]);
    assert.deepEqual(
      left.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: 'large.txt', reason: 'tooLarge' },
        { name: 'n.txt', reason: 'dirty' },
        { name: 'x.bin', reason: 'link' },
      ],
    );
    assert.deepEqual(moved, []);
  });

  it('SEC-351: aren’t taken back once they are committed, staged or reset', async () => {
    world.write(inProject('a.txt'), 'A\n');
    world.write(inProject('n.txt'), 'new\n');
    world.write(inProject('x.bin'), Buffer.from([9]));
    world.write(inProject('sub/gone.txt'), 'changed\n');
    const moved = await carry('a.txt', 'n.txt', 'sub/gone.txt', 'x.bin');
    const commit = facts.head?.commit ?? '';
    assert.deepEqual(await findSettled(world.model, facts, commit, moved), []);
    world.git(project, 'commit', '-q', '-m', 'Mine', 'a.txt');
    world.git(project, 'add', 'n.txt');
    world.git(project, 'checkout', '-q', 'x.bin');
    const settled = ['a.txt', 'n.txt', 'x.bin'];
    assert.deepEqual(
      await findSettled(world.model, facts, commit, moved),
      settled.map((name) => ({ name, reason: 'changedSince' })),
    );
  });

  it('aren’t moved if the index has them as files that are to be added', async () => {
    world.write(inProject('n.txt'), 'new\n');
    world.git(project, 'add', '--intent-to-add', 'n.txt');
    const { found } = await plan('n.txt');
    assert.deepEqual(found.left, [{ name: 'n.txt', reason: 'staged' }]);
  });

  posixOnly(
    'keep who may read and run them, and a file can take the place of a folder',
    async () => {
      chmodSync(inProject('a.txt'), 0o755);
      rmSync(inProject('sub'), { recursive: true });
      world.write(inProject('sub'), 'a file\n');
      world.write(inProject('mine.txt'), 'only mine\n', 0o600);
      const moved = await carry('a.txt', 'mine.txt', 'sub', 'sub/gone.txt');
      assert.notEqual(statSync(inTree('a.txt')).mode & 0o111, 0);
      assert.equal(statSync(inTree('mine.txt')).mode & 0o777, 0o600);
      assert.equal(readFileSync(inTree('sub'), 'utf8'), 'a file\n');
      assert.deepEqual(await takeBack(moved, files), []);
      assert.equal(status(), '');
    },
  );

  posixOnly('SEC-351: aren’t written through a link, and nothing is left behind then', async () => {
    symlinkSync(world.at('outside'), inProject('link'));
    mkdirSync(world.at('outside'));
    world.git(project, 'add', 'link');
    world.git(project, 'commit', '-q', '-m', 'Link');
    facts = await world.facts(project);
    wanted = { ...wanted, base: { commit: facts.head?.commit ?? '', ref: 'refs/heads/main' } };
    rmSync(inProject('link'));
    world.write(inProject('link/n.txt'), 'new\n');
    assert.equal(await problemOf(carry('link/n.txt')), 'notMoved');
    assert.ok(!existsSync(world.at('outside', 'n.txt')));
    await discardWorktree(world.model.in(project), wanted);
    assert.ok(!existsSync(wanted.folder));
    assert.equal(world.git(project, 'branch', '--format=%(refname:short)'), 'main\n');
    assert.equal(readFileSync(inProject('link/n.txt'), 'utf8'), 'new\n');
  });
});
