import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { readChangedLines } from '../../../../../src/features/worktrees/model/lineCounts';
import { commitHooks, readRunByGit } from '../../../../../src/features/worktrees/model/runByGit';
import { findRepository } from '../../../../../src/model/places/repository';
import { realPath } from '../../../../../src/platform/files/realPath';
import { posixOnly } from '../../../../support/posixOnly';
import { WorktreeWorld } from './worktreeWorld';

describe('lines that differ between a worktree and its base', () => {
  it('are those of Git, committed or not, and all lines of new files', async () => {
    const world = new WorktreeWorld();
    try {
      const repository = world.repository('r');
      world.commit(repository, { 'a.txt': '1\n2\n3\n', 'b.bin': 'a\0b', 'c.txt': 'c\n' });
      const tree = await world.add(repository, 'fix/one');
      world.commit(tree, { 'a.txt': '1\nzwei\n3\n4\n' });
      world.write(path.join(tree, 'b.bin'), 'a\0c');
      world.write(path.join(tree, 'ä new.txt'), 'x\ny');
      const place = await findRepository(tree, realPath);
      assert.ok(place);
      assert.deepEqual(Object.fromEntries(await readChangedLines(world.model, place)), {
        'a.txt': { added: 2, removed: 1 },
        'b.bin': { added: 0, removed: 0 },
        'ä new.txt': { added: 2, removed: 0 },
      });
    } finally {
      await world.close();
    }
  });

  posixOnly('run no filter of a repository that an agent has put into the worktree', async () => {
    const world = new WorktreeWorld();
    try {
      const tree = await world.add(world.repository('r'), 'fix/one');
      const inner = path.join(tree, 'inner');
      mkdirSync(inner);
      world.git(inner, 'init', '-q');
      world.commit(inner, { '.gitattributes': '* filter=own\n', 'f.txt': 'f\n' });
      world.git(inner, 'config', 'filter.own.clean', `touch ${world.at('ran')}; cat`);
      world.commit(tree, { 'a.txt': 'a\n' });
      utimesSync(path.join(inner, 'f.txt'), 1, 1);
      const place = await findRepository(tree, realPath);
      assert.ok(place);
      await readChangedLines(world.model, place);
      await readRunByGit(world.model, place, 'HEAD~1', { names: commitHooks, realPath });
      assert.ok(!existsSync(world.at('ran')));
    } finally {
      await world.close();
    }
  });
});
