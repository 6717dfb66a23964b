import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../../../src/util/disposable';
import { ableInitialize } from '../../fakeAgent/scenario';
import { FakeReviews } from '../../support/fakeTurnReviews';
import type { Asked } from '../../vscode/harness/dialogs';
import { fakeEntry, listed, waitFor, workspaceFolder } from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';
import { provideReviews } from './provideReviews';

describe('moving the changes of a session to a worktree', () => {
  let trees: WorktreeBench;
  let provided: Disposable;
  let reviews: FakeReviews;
  let mine: string;
  let other: string;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    mine = path.join(workspaceFolder(), 'mine.txt');
    other = path.join(workspaceFolder(), 'other.txt');
    await writeFile(mine, 'before\n');
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    await Promise.all([writeFile(mine, 'after\n'), writeFile(other, 'other\n')]);
    reviews = new FakeReviews();
    reviews.add('fake', 's1').addTurn({ turn: 1, prompt: 'Fix it', files: [mine] });
    provided = await provideReviews(trees.bench, reviews);
  });
  afterEach(async () => {
    provided.dispose();
    await Promise.all([mine, other].map((file) => rm(file, { force: true })));
    await trees.dispose();
  });

  /** Moves the files with these names; `last`: the answer to the message in the end. */
  async function move(files: string, last?: string): Promise<void> {
    trees.dialogs.answer = ({ kind, choices }: Asked) => {
      if (kind === 'pick') {
        return choices.includes('mine.txt') ? files : choices[0];
      }
      return kind === 'input'
        ? 'moved'
        : choices.find((choice) => choice === 'Move' || choice === last);
    };
    await trees.run('session.moveToWorktree', await trees.bench.session('The first'));
  }

  const status = (): string => trees.git('status', '--porcelain', '--', 'mine.txt', 'other.txt');
  const there = (name: string): string => path.join(trees.treeOf('moved'), name);

  it('T-188: lists them first, moves what is chosen after a question, and continues the session there', async () => {
    await move('mine.txt', 'Continue There');
    const { asked, texts } = { asked: trees.dialogs.asked, texts: trees.dialogs.texts('error') };
    assert.deepEqual(texts, []);
    assert.deepEqual(asked[0]?.choices, [
      'Changed by this session',
      'mine.txt',
      'Other uncommitted changes',
      'other.txt',
    ]);
    assert.deepEqual(asked[0].picked, ['mine.txt']);
    const question = asked.find(({ choices }) => choices.includes('Move'));
    assert.match(question?.text ?? '', /^Move 1 file to the new worktree “moved”\?$/);
    assert.match(question?.detail ?? '', /The session stays in that folder/);
    assert.equal(status(), '?? other.txt\n');
    const saves = reviews.saves.map(({ file, before, after }) => [
      path.basename(file),
      ...[before, after].map((bytes) => bytes && Buffer.from(bytes).toString()),
    ]);
    assert.deepEqual(
      saves,
      [['mine.txt', 'after\n', 'before\n']],
      'it doesn’t wait for review any more',
    );
    assert.equal(await readFile(there('mine.txt'), 'utf8'), 'after\n');
    assert.ok(!existsSync(there('other.txt')));
    const page = await waitFor(() => trees.bench.api.panels.active?.session, 'the page');
    assert.ok(page.first, 'a session that hasn’t begun');
    assert.equal(page.info.cwd, trees.treeOf('moved'));
    const { draft } = trees.bench.api.work.getDraft('fake', page.info.sessionId);
    assert.match(draft.text, /^Continue the work of an earlier session/);
  });

  it('T-189: is undone by one click: the text is back, and nothing is left of the worktree', async () => {
    await move('mine.txt\nother.txt', 'Undo');
    assert.match(
      trees.dialogs.texts('information').join('\n'),
      /Moved 2 files .*\n.*worktree is removed/,
    );
    assert.equal(await readFile(mine, 'utf8'), 'after\n');
    assert.equal(await readFile(other, 'utf8'), 'other\n');
    assert.ok(!existsSync(trees.treeOf('moved')));
    assert.doesNotMatch(trees.git('branch'), /moved/);
  });

  it('T-190: stops the agent first if the user agrees, and moves nothing otherwise', async () => {
    const go = [{ waitForCancel: true }, { result: { stopReason: 'cancelled' } }] as const;
    const sessions = [listed('s1', 'The first')];
    await trees.bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions,
        on: { 'session/prompt': go },
      }),
    });
    await trees.run('session.open', await trees.bench.session('The first'));
    const session = await waitFor(() => trees.bench.api.sessions.find('fake', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its transcript');
    session.turns.submit({ text: 'Work on', attachments: [] });
    await waitFor(() => session.turns.current.kind === 'running', 'its turn');
    await move('mine.txt');
    assert.match(trees.dialogs.texts('warning').join(), /is still working with these files/);
    assert.ok(session.isBusy);
    assert.ok(!existsSync(trees.treeOf('moved')));
    await move('mine.txt', 'Stop');
    assert.ok(!session.isBusy);
    assert.equal(await readFile(there('mine.txt'), 'utf8'), 'after\n');
  });

  it('moves nothing that is staged, and nothing of a session in a worktree', async () => {
    trees.git('add', '-A');
    await move('mine.txt');
    assert.match(
      trees.dialogs.texts('information').join(),
      /nothing uncommitted in .* to move\. Staged, .*: mine\.txt, other\.txt/,
    );
    const session = await trees.created('own');
    await waitFor(() => trees.bench.api.panels.active?.session === session, 'its tab');
    await trees.run('session.moveToWorktree');
    assert.match(trees.dialogs.texts('error').join(), /works in a worktree of its own already/);
  });
});
