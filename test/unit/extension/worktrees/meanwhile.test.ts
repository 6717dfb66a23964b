import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Asked } from '../../../vscode/harness/dialogs';
import { workspaceFolder } from '../../../vscode/harness/support';
import { WorktreeBench } from '../../../vscode/harness/worktreeBench';

describe('what happens in a repository while changes are moved to a worktree', () => {
  let trees: WorktreeBench;
  let mine: string;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    mine = path.join(workspaceFolder(), 'mine.txt');
    await writeFile(mine, 'before\n');
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    await writeFile(mine, 'after\n');
  });
  afterEach(async () => {
    await rm(mine, { force: true });
    await trees.dispose();
  });

  /** Moves the file, and undoes it; `meanwhile`: what somebody does before this answer. */
  async function move(before: 'Move' | 'Undo', meanwhile: () => unknown): Promise<void> {
    trees.dialogs.answer = ({ kind, choices }: Asked) => {
      if (kind === 'pick') {
        return 'mine.txt';
      }
      if (choices.includes(before)) {
        meanwhile();
      }
      return kind === 'input' ? 'moved' : choices.find((choice) => /^(?:Move|Undo)$/.test(choice));
    };
    await trees.run('session.moveToWorktree', await trees.bench.session('The first'));
  }

  it('is kept if it is a commit of the file: then nothing is moved', async () => {
    await move('Move', () => trees.git('commit', '-q', '-m', 'Mine', 'mine.txt'));
    assert.match(trees.dialogs.texts('error').join(), /^Nothing was moved\. .*mine\.txt/);
    assert.equal(await readFile(mine, 'utf8'), 'after\n');
    assert.equal(trees.git('status', '--porcelain', '--', 'mine.txt'), '');
    assert.ok(!existsSync(trees.treeOf('moved')));
    assert.doesNotMatch(trees.git('branch'), /moved/);
  });

  it('is kept if it is another branch that is checked out in the worktree when that is undone', async () => {
    trees.git('branch', 'precious');
    await move('Undo', () => trees.git('-C', trees.treeOf('moved'), 'switch', '-q', 'precious'));
    assert.match(trees.dialogs.texts('information').join(), /The worktree stays/);
    assert.equal(await readFile(mine, 'utf8'), 'after\n');
    assert.match(trees.git('branch'), /precious/);
  });
});
