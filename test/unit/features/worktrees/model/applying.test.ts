import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  type ApplyPlan,
  apply,
  planApply,
} from '../../../../../src/features/worktrees/model/applying';
import { getBase } from '../../../../../src/features/worktrees/model/base';
import { chosenOf, readParts } from '../../../../../src/features/worktrees/model/changeParts';
import { inBase, readChanges } from '../../../../../src/features/worktrees/model/worktreeChanges';
import { findRepository, type Repository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { DiskFiles } from '../../../../support/diskFiles';
import { posixOnly } from '../../../../support/posixOnly';
import { problemOf, WorktreeWorld } from './worktreeWorld';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
const ten = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];

describe('applying a worktree to the workspace', () => {
  let world: WorktreeWorld;
  let project: string;
  let tree: string;
  let files: DiskFiles;

  beforeEach(async () => {
    world = new WorktreeWorld();
    files = new DiskFiles();
    project = world.repository('project', {
      'a.txt': lines(...ten),
      'gone.txt': 'gone\n',
      'same.txt': 'same\n',
      'run.sh': 'run\n',
      'data.bin': Buffer.from([0, 1, 2]),
    });
    tree = await world.add(project, 'work');
  });
  afterEach(() => world.close());

  async function place(folder = tree): Promise<Repository> {
    const found = await findRepository(folder, realPath);
    assert.ok(found);
    return found;
  }

  async function plan(): Promise<ApplyPlan> {
    const from = await place();
    const base = await getBase(world.model, from);
    const names = { ours: 'Workspace', theirs: 'work' };
    return planApply(world.model, { place: from, base }, { top: project, files, names });
  }

  /** The plan with these hunks only, by the name of their file and their place in it. */
  async function planHunks(...wanted: readonly (readonly [string, number])[]) {
    const { parts } = await readAll();
    const chosen = wanted.map(([name, at]) => {
      const part = parts.filter(({ file }) => file.name === name)[at];
      assert.ok(part, `${name} ${at}`);
      return part;
    });
    return async (): Promise<ApplyPlan> => {
      const from = await place();
      const base = await getBase(world.model, from);
      const names = { ours: 'Workspace', theirs: 'work' };
      const to = { top: project, files, names, chosen: chosenOf(chosen) };
      return planApply(world.model, { place: from, base }, to);
    };
  }

  async function readAll() {
    const from = await place();
    const base = await getBase(world.model, from);
    return readParts(world.model, { place: from, base }, { top: project, files });
  }

  const write = (folder: string, name: string, text: string | Buffer): void =>
    world.write(path.join(folder, name), text);
  const read = (name: string): string => readFileSync(path.join(project, name), 'utf8');

  it('brings nothing but the chosen hunks, merged with what was changed here', async () => {
    write(tree, 'a.txt', lines('zero', ...ten.slice(0, 8), 'nine', 'ten'));
    write(tree, 'new.txt', 'new\n');
    rmSync(path.join(tree, 'gone.txt'));
    write(project, 'a.txt', lines(...ten.slice(0, 4), 'mine', ...ten.slice(5)));
    const { parts } = await readAll();
    assert.deepEqual(
      parts.map(({ file, hunk, added, removed, line }) => [
        file.name,
        hunk?.now.start,
        added,
        removed,
        line,
      ]),
      [
        ['a.txt', 1, 1, 0, 'zero\n'],
        ['a.txt', 10, 2, 2, 'nine\n'],
        ['gone.txt', undefined, 0, 1, ''],
        ['new.txt', undefined, 1, 0, ''],
      ],
    );
    const { changes, left } = await (await planHunks(['a.txt', 1], ['new.txt', 0]))();
    assert.deepEqual(left, []);
    assert.deepEqual(await apply(files, changes), []);
    assert.equal(
      read('a.txt'),
      lines(...ten.slice(0, 4), 'mine', ...ten.slice(5, 8), 'nine', 'ten'),
    );
    assert.equal(read('new.txt'), 'new\n');
    assert.ok(existsSync(path.join(project, 'gone.txt')));
  });

  it('says which chosen hunks conflict, and leaves a file that has changed since it was shown', async () => {
    write(tree, 'a.txt', lines('theirs', ...ten.slice(1, 9), 'last'));
    write(project, 'a.txt', lines('mine', ...ten.slice(1)));
    const { parts } = await readAll();
    assert.deepEqual(
      parts.map(({ touchesOwn }) => touchesOwn),
      [true, false],
    );
    const [conflicting, smooth] = [await planHunks(['a.txt', 0]), await planHunks(['a.txt', 1])];
    assert.ok((await conflicting()).changes[0]?.conflict);
    assert.equal((await smooth()).changes[0]?.conflict, undefined);
    write(tree, 'a.txt', lines('again', ...ten.slice(1, 9), 'last'));
    assert.deepEqual(await smooth(), {
      changes: [],
      left: [{ name: 'a.txt', reason: 'changedSince' }],
    });
  });

  it('SEC-364: offers 1000 hunks, and counts the others', async () => {
    const many = Array.from({ length: 4_000 }, (_, at) => `${at}\n`);
    world.commit(tree, { 'many.txt': many.join('') });
    world.git(project, 'merge', '-q', 'work');
    const changed = many.map((line, at) => (at % 2 === 0 ? line : `+${line}`));
    write(tree, 'many.txt', changed.join(''));
    const { parts, left } = await readAll();
    assert.equal(parts.length + left, left === 0 ? 1 : 2_000);
    assert.ok(parts.length <= 1_000);
  });

  it('brings what was committed, changed and new there, as uncommitted changes', async () => {
    world.commit(tree, { 'a.txt': lines('0', ...ten) });
    write(tree, 'deep/new file ü.txt', 'new\n');
    rmSync(path.join(tree, 'gone.txt'));
    const { changes, left } = await plan();
    assert.deepEqual(
      changes.map(({ name, kind, isMerged }) => [name, kind, isMerged]),
      [
        ['a.txt', 'modified', false],
        ['deep/new file ü.txt', 'added', false],
        ['gone.txt', 'deleted', false],
      ],
    );
    assert.deepEqual(left, []);
    assert.deepEqual(await apply(files, changes), []);
    assert.equal(read('a.txt'), lines('0', ...ten));
    assert.equal(read('deep/new file ü.txt'), 'new\n');
    assert.ok(!existsSync(path.join(project, 'gone.txt')));
    assert.equal(world.git(project, 'log', '--oneline').split('\n').length, 2, 'no commit');
    assert.deepEqual((await plan()).changes, [], 'and there is nothing left to do');
  });

  it('SEC-81: deletes for good only what the user agrees to', async () => {
    rmSync(path.join(tree, 'gone.txt'));
    write(tree, 'a.txt', lines('0', ...ten));
    const { changes } = await plan();
    const asked: (readonly string[])[] = [];
    files.onDelete = (names) => {
      asked.push(names);
      return 'declined';
    };
    assert.deepEqual(await apply(files, changes), [{ name: 'gone.txt', reason: 'declined' }]);
    assert.deepEqual(asked, [[path.join(project, 'gone.txt')]]);
    assert.ok(existsSync(path.join(project, 'gone.txt')));
    assert.equal(read('a.txt'), lines('0', ...ten));
  });

  it('merges with what the user has changed, saved or committed or not', async () => {
    write(tree, 'a.txt', lines('0', ...ten));
    write(project, 'a.txt', lines(...ten, '11'));
    const { changes } = await plan();
    assert.deepEqual(
      changes.map(({ isMerged, conflict }) => [isMerged, conflict]),
      [[true, undefined]],
    );
    await apply(files, changes);
    assert.equal(read('a.txt'), lines('0', ...ten, '11'));
    world.commit(project, { 'same.txt': 'same\nmine\n' });
    write(tree, 'same.txt', 'theirs\nsame\n');
    const next = await plan();
    assert.deepEqual(
      next.changes.map(({ name }) => name),
      ['same.txt'],
    );
    await apply(files, next.changes);
    assert.equal(read('same.txt'), 'theirs\nsame\nmine\n');
  });

  it('puts both texts into a file that both have changed differently, and says so', async () => {
    write(tree, 'a.txt', lines('theirs', ...ten.slice(1)));
    write(project, 'a.txt', lines('mine', ...ten.slice(1), '11'));
    const { changes } = await plan();
    const [change] = changes;
    assert.deepEqual(change?.conflict, {
      base: lines(...ten),
      ours: lines('mine', ...ten.slice(1), '11'),
      theirs: lines('theirs', ...ten.slice(1)),
    });
    await apply(files, changes);
    assert.equal(
      read('a.txt'),
      lines(
        '<<<<<<< Workspace',
        'mine',
        '=======',
        'theirs',
        '>>>>>>> work',
        ...ten.slice(1),
        '11',
      ),
    );
  });

  it('keeps Windows line ends in such a file, and lines without an end apart', async () => {
    world.git(project, 'config', 'core.autocrlf', 'false');
    write(tree, 'crlf.txt', 'theirs\r\nend');
    write(project, 'crlf.txt', 'mine\r\nend2');
    const { changes } = await plan();
    await apply(files, changes);
    const text = read('crlf.txt');
    assert.equal(
      text,
      '<<<<<<< Workspace\r\nmine\r\nend2\r\n=======\r\ntheirs\r\nend\r\n>>>>>>> work\r\n',
    );
  });

  it('names everything that it leaves as it is', async () => {
    write(tree, 'data.bin', Buffer.from([0, 3]));
    write(project, 'data.bin', Buffer.from([0, 4]));
    rmSync(path.join(tree, 'gone.txt'));
    write(project, 'gone.txt', 'needed\n');
    write(tree, 'same.txt', 'more\n');
    rmSync(path.join(project, 'same.txt'));
    mkdirSync(path.join(tree, 'inner'));
    world.git(path.join(tree, 'inner'), 'init', '-q');
    write(path.join(tree, 'inner'), 'x.txt', 'x');
    const { changes, left } = await plan();
    assert.deepEqual(changes, []);
    assert.deepEqual(left.map(({ name, reason }) => `${name}: ${reason}`).sort(), [
      'data.bin: binary',
      'gone.txt: deletedThere',
      'inner/: submodule',
      'same.txt: deletedHere',
    ]);
    assert.equal(read('gone.txt'), 'needed\n');
  });

  it('SEC-73: leaves alone what changes after the preview, and says so', async () => {
    write(tree, 'a.txt', lines('0', ...ten));
    write(tree, 'same.txt', 'theirs\n');
    const { changes } = await plan();
    write(project, 'a.txt', 'mine, just now\n');
    assert.deepEqual(await apply(files, changes), [{ name: 'a.txt', reason: 'changedSince' }]);
    assert.equal(read('a.txt'), 'mine, just now\n');
    assert.equal(read('same.txt'), 'theirs\n');
  });

  it('takes files over byte by byte that nobody else has changed', async () => {
    const bytes = Buffer.from([0, 255, 254, 13, 10]);
    write(tree, 'data.bin', bytes);
    await apply(files, (await plan()).changes);
    assert.deepEqual(readFileSync(path.join(project, 'data.bin')), bytes);
  });

  posixOnly('SEC-73: brings the right to be run, and no links', async () => {
    chmodSync(path.join(tree, 'run.sh'), 0o755);
    symlinkSync('/etc/passwd', path.join(tree, 'link.txt'));
    rmSync(path.join(tree, 'same.txt'));
    symlinkSync('/etc/passwd', path.join(tree, 'same.txt'));
    const { changes, left } = await plan();
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['run.sh'],
    );
    assert.deepEqual(left.map(({ name, reason }) => `${name}: ${reason}`).sort(), [
      'link.txt: link',
      'same.txt: link',
    ]);
    await apply(files, changes);
    assert.equal(statSync(path.join(project, 'run.sh')).mode & 0o111, 0o111);
  });

  it('compares with where the branch began, also when both have gone on', async () => {
    world.commit(tree, { 'b.txt': 'b\n' });
    world.commit(project, { 'main.txt': 'main\n' });
    const from = await place();
    const names = async (): Promise<string[]> => {
      const base = await getBase(world.model, from);
      return (await readChanges(world.model, from, base)).changes.map(({ name }) => name);
    };
    assert.deepEqual(await names(), ['b.txt']);
    world.git(tree, 'merge', '-q', '--no-edit', 'main');
    assert.deepEqual(await names(), ['b.txt'], 'what was merged isn’t a change');
    world.git(project, 'branch', '-m', 'main', 'renamed');
    assert.deepEqual(await names(), ['b.txt'], 'without its base, by the main worktree');
  });

  it('compares with the commit where the branch began on a detached HEAD', async () => {
    world.git(project, 'checkout', '-q', '--detach');
    world.commit(project, { 'on-no-branch.txt': 'there\n' });
    const from = await place(await world.add(project, 'detached'));
    world.git(project, 'checkout', '-q', 'main');
    world.commit(from.top, { 'own.txt': 'own\n' });
    const base = await getBase(world.model, from);
    const { changes } = await readChanges(world.model, from, base);
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['own.txt'],
    );
  });

  it('compares worktrees that were made elsewhere, and says if there is nothing in common', async () => {
    const other = world.at('by hand');
    world.git(project, 'worktree', 'add', '-q', '-b', 'hand', other);
    write(other, 'a.txt', 'by hand\n');
    const from = await place(other);
    const base = await getBase(world.model, from);
    const { changes } = await readChanges(world.model, from, base);
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['a.txt'],
    );
    world.git(other, 'checkout', '-q', '--orphan', 'orphan');
    world.commit(other, { 'o.txt': 'o\n' });
    assert.equal(await problemOf(getBase(world.model, from)), 'noBase');
  });

  it('SEC-132: reads the base as it would be checked out, and runs nothing that is configured for diffs', async () => {
    world.git(project, 'config', 'core.autocrlf', 'true');
    world.git(project, 'config', 'diff.external', 'touch external-ran');
    const evil = `touch ${world.at('textconv-ran')};cat`;
    world.git(project, 'config', 'diff.evil.textconv', evil);
    write(tree, '.gitattributes', '*.txt diff=evil\n');
    write(tree, 'a.txt', lines('0', ...ten).replaceAll('\n', '\r\n'));
    const from = await place();
    const base = await getBase(world.model, from);
    const { changes } = await readChanges(world.model, from, base);
    const change = changes.find(({ name }) => name === 'a.txt');
    assert.ok(change);
    const before = await inBase(world.model, from, change);
    assert.ok(before.kind === 'file');
    assert.equal(Buffer.from(before.bytes).toString(), lines(...ten).replaceAll('\n', '\r\n'));
    assert.ok(
      !existsSync(path.join(tree, 'external-ran')) && !existsSync(world.at('textconv-ran')),
    );
  });

  it('SEC-72: takes no name for anything else than a name', async () => {
    const odd = ['--option', ':(glob)x', '$(x)', 'a b', '*'];
    for (const name of odd) {
      writeFileSync(path.join(tree, name), 'odd\n');
    }
    world.git(tree, 'add', '-A');
    world.git(tree, 'commit', '-q', '-m', 'Odd');
    const { changes } = await plan();
    assert.deepEqual(changes.map(({ name }) => name).sort(), [...odd].sort());
    await apply(files, changes);
    world.commit(project, {}, 'Odd');
    for (const name of odd) {
      writeFileSync(path.join(tree, name), 'odd, changed\n');
    }
    const next = await plan();
    assert.equal(next.changes.length, odd.length);
  });
});
