import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Dialogs } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import { type ExtensionBench, waitFor } from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';

type Picker = vscode.QuickPick<vscode.QuickPickItem>;

describe('Clean Up Worktrees…', () => {
  let trees: WorktreeBench;
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let pickers: Pickers;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    ({ bench, dialogs } = trees);
    pickers = new Pickers();
  });
  afterEach(async () => {
    pickers.dispose();
    await trees.dispose();
  });

  /** A worktree with a commit, of a session or not, merged into the workspace or not. */
  async function finished(branch: string, { isMerged = false, hasSession = false }): Promise<void> {
    const tree = trees.treeOf(branch);
    if (hasSession) {
      await trees.created(branch);
    } else {
      trees.git('worktree', 'add', '-q', '-b', branch, tree);
    }
    if (!isMerged) {
      await writeFile(path.join(tree, `${branch}.txt`), 'x\n');
      trees.gitIn(tree, 'add', '-A');
    }
    trees.gitIn(tree, 'commit', '-q', '--allow-empty', '-m', branch);
    if (isMerged) {
      trees.git('merge', '-q', '--no-edit', branch);
    }
  }

  const checked = ({ selectedItems }: Picker): readonly string[] =>
    selectedItems.map(({ label }) => label).sort();

  /** The list, once all is known. */
  async function opened(): Promise<{ picker: Picker; done: Thenable<unknown> }> {
    const done = trees.run('worktree.cleanUp');
    const picker = await pickers.made();
    await waitFor(() => !picker.busy && picker.items.length > 0, 'all states and sizes');
    return { picker, done };
  }

  function check(picker: Picker, ...labels: readonly string[]): void {
    picker.selectedItems = picker.items.filter(({ label }) => labels.includes(label));
  }

  /** Answers the question with this button, and types what is asked for. */
  function answer(button: string, typed = ''): void {
    dialogs.asked.length = 0;
    dialogs.answer = ({ kind, choices }) =>
      kind === 'input' ? typed : choices.find((choice) => choice === button);
  }

  it('checks what is merged and loses nothing, removes that, and archives sessions as chosen', async () => {
    await finished('merged', { isMerged: true, hasSession: true });
    await finished('ahead', {});
    const { picker, done } = await opened();
    assert.deepEqual(checked(picker), ['merged']);
    const rows = picker.items.map(({ label, description }) => `${label}: ${description ?? ''}`);
    assert.match(rows.join('\n'), /^merged: merged · \d+ (?:bytes|KB) · .+$/m);
    assert.match(rows.join('\n'), /^ahead: ↑1 · \d+ (?:bytes|KB) · .+$/m);
    const session = picker.items.at(-1);
    assert.equal(session?.description, 'merged', 'only the session of the merged branch');
    picker.selectedItems = [...picker.selectedItems, session];
    answer('Remove with Branches');
    await pickers.accept(done);
    const [question] = dialogs.asked;
    assert.equal(question?.text, 'Remove 1 worktree?');
    assert.ok(!existsSync(trees.treeOf('merged')) && existsSync(trees.treeOf('ahead')));
    assert.doesNotMatch(trees.git('branch'), /merged/);
    await waitFor(
      () => /Archived/.test(dialogs.texts('information').join()),
      'the archived session',
    );
    assert.match(dialogs.texts('information').join(), /Worktrees removed: 1 of 1\./);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('SEC-360: names what is lost, has its name typed, and keeps the last branch that has a commit', async () => {
    await finished('one', {});
    trees.git('branch', 'two', 'one');
    trees.git('worktree', 'add', '-q', trees.treeOf('two'), 'two');
    await finished('dirty', {});
    await writeFile(path.join(trees.treeOf('dirty'), 'new.txt'), 'new\n');
    const clean = async (typed: string): Promise<void> => {
      const { picker, done } = await opened();
      assert.deepEqual(checked(picker), []);
      check(picker, 'one', 'two', 'dirty');
      answer('Remove with Branches', typed);
      await pickers.accept(done);
    };
    await clean('dirt');
    assert.match(
      dialogs.asked[0]?.detail ?? '',
      /^dirty: Not committed, and lost: 1 file\..*new\.txt/,
    );
    assert.match(dialogs.asked[0]?.detail ?? '', /Nothing is lost of: one, two\./);
    assert.ok(existsSync(trees.treeOf('dirty')) && existsSync(trees.treeOf('one')));
    await clean('dirty');
    for (const branch of ['one', 'two', 'dirty']) {
      assert.ok(!existsSync(trees.treeOf(branch)), branch);
    }
    const left = trees.git('for-each-ref', '--format=%(refname:short)', 'refs/heads');
    assert.deepEqual(
      left.match(/^(?:one|two|dirty)$/gm)?.length,
      2,
      'one of the two with the commit',
    );
    assert.match(left, /^dirty$/m);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('SEC-360: has the number typed of several in which something would be lost', async () => {
    for (const branch of ['first', 'second']) {
      await finished(branch, {});
      await writeFile(path.join(trees.treeOf(branch), 'new.txt'), 'new\n');
    }
    const clean = async (typed: string): Promise<void> => {
      const { picker, done } = await opened();
      check(picker, 'first', 'second');
      answer('Remove', typed);
      await pickers.accept(done);
    };
    await clean('first');
    assert.ok(existsSync(trees.treeOf('first')) && existsSync(trees.treeOf('second')));
    await clean('2 worktrees');
    assert.ok(!existsSync(trees.treeOf('first')) && !existsSync(trees.treeOf('second')));
  });

  it('says what couldn’t be removed, and why', async () => {
    await finished('locked', { isMerged: true });
    await finished('free', { isMerged: true });
    trees.git('worktree', 'lock', '--reason', 'mine', trees.treeOf('locked'));
    const { picker, done } = await opened();
    assert.deepEqual(checked(picker), ['free']);
    check(picker, 'free', 'locked');
    answer('Remove');
    await pickers.accept(done);
    assert.match(dialogs.texts('error').join(), /^Not removed: locked: .*mine/);
    assert.match(dialogs.texts('information').join(), /Worktrees removed: 1 of 2\./);
    assert.ok(existsSync(trees.treeOf('locked')) && !existsSync(trees.treeOf('free')));
    trees.git('worktree', 'unlock', trees.treeOf('locked'));
  });

  it('is offered where the header leads, once the branch is merged', async () => {
    await finished('merged', { isMerged: true, hasSession: true });
    const session = await trees.sessionOf('merged');
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab');
    answer('$(archive) Archive Its Sessions');
    await trees.run('worktree.finish');
    assert.ok(dialogs.asked[0]?.choices.includes('$(trash) Remove Worktree…'));
    await waitFor(
      () => /Archived/.test(dialogs.texts('information').join()),
      'the archived session',
    );
    assert.ok(existsSync(trees.treeOf('merged')));
  });
});
