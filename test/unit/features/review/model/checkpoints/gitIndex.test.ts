import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  distrust,
  readIndex,
} from '../../../../../../src/features/review/model/checkpoints/gitIndex';
import { GitWorld } from './gitWorld';

describe('index files of git', () => {
  let world: GitWorld;
  let repo: string;
  let file: string;
  beforeEach(() => {
    world = new GitWorld();
    repo = world.repository('repo');
    world.write(path.join(repo, 'a'), 'one');
    world.write(path.join(repo, 'b/c d'), '');
    world.write(path.join(repo, 'é'), '12', 0o755);
    world.git(repo, 'add', '-A');
    world.git(repo, 'update-index', '--skip-worktree', 'a');
    file = path.join(repo, '.git/index');
  });
  afterEach(() => world.close());

  it('are read with names, sizes and modes', () => {
    const entries = readIndex(readFileSync(file), 'sha1')!;
    assert.deepEqual(
      entries.map(({ name, size, mode }) => [
        Buffer.from(name, 'latin1').toString('utf8'),
        size,
        mode.toString(8),
      ]),
      [
        ['a', 3, '100644'],
        ['b/c d', 0, '100644'],
        ['é', 2, '100755'],
      ],
    );
  });

  it('that are cut off or changed anywhere are refused, or read as something of their size', () => {
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length++) {
      readIndex(bytes.subarray(0, length), 'sha1');
      const changed = Buffer.from(bytes);
      changed[length] = changed[length]! ^ 0xff;
      assert.ok((readIndex(changed, 'sha1')?.length ?? 0) <= bytes.length);
    }
    const many = Buffer.from(bytes);
    many.writeUInt32BE(0xffff_ffff, 8);
    assert.equal(readIndex(many, 'sha1'), undefined);
    assert.equal(readIndex(Buffer.alloc(100), 'sha1'), undefined);
  });

  it('that aren’t trusted are still git’s, which then reads the files again', () => {
    world.git(repo, 'update-index', '--no-skip-worktree', 'a');
    world.git(repo, 'update-index', '--assume-unchanged', 'é');
    const bytes = readFileSync(file);
    distrust(bytes, readIndex(bytes, 'sha1')!, 'sha1', ({ name }) => name === 'a');
    writeFileSync(file, bytes);
    assert.match(world.git(repo, 'ls-files', '-v'), /^H a\nH b\/c d\nH /);
    assert.equal(world.git(repo, 'diff-files', '--name-only'), 'a\n');
  });
});
