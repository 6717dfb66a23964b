import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ableInitialize } from '../fakeAgent/scenario';
import type { Dialogs } from './harness/dialogs';
import { decideInPreview } from './harness/previews';
import {
  type ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  workspaceFolder,
} from './harness/support';
import { WorktreeBench } from './harness/worktreeBench';

/* What runs as a task of VS Code, and what is changed by its edits. */

describe('sessions in worktrees', () => {
  let trees: WorktreeBench;
  let bench: ExtensionBench;
  let dialogs: Dialogs;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    ({ bench, dialogs } = trees);
  });
  afterEach(() => trees.dispose());

  it('SEC-76: shows the script before it runs it, in the worktree, and begins when it has ended', async () => {
    await update('newWorktree.script', 'echo "$ACP_SESSIONS_SOURCE" > prepared.txt');
    trees.choose('prepared', 'main', ({ choices }) => choices.find((choice) => choice === 'Run'));
    await trees.begin();
    const [asked] = dialogs.asked.filter(({ kind }) => kind === 'information');
    assert.equal(asked?.detail, 'echo "$ACP_SESSIONS_SOURCE" > prepared.txt');
    const file = path.join(trees.treeOf('prepared'), 'prepared.txt');
    const text = readFileSync(file, 'utf8').trim();
    assert.equal(await realpath(text), await realpath(workspaceFolder()));
    assert.ok(bench.api.sessions.all.some(({ info }) => info.cwd === trees.treeOf('prepared')));
    dialogs.asked.length = 0;
    trees.choose('not-run', 'main', ({ choices }) => choices.at(-1));
    await trees.begin();
    assert.ok(existsSync(trees.treeOf('not-run')));
    assert.ok(!existsSync(path.join(trees.treeOf('not-run'), 'prepared.txt')));
    dialogs.asked.length = 0;
    await update('newWorktree.script', 'echo hi\u200b > prepared.txt');
    trees.choose('unseen', 'main', ({ choices }) => choices[0]);
    await trees.begin();
    const [unseen] = dialogs.asked.filter(({ kind }) => kind === 'information');
    assert.deepEqual(
      [unseen?.detail, unseen?.choices],
      ['echo hi⟨U+200B⟩ > prepared.txt', ['Create without Running It']],
    );
    assert.ok(!existsSync(path.join(trees.treeOf('unseen'), 'prepared.txt')));
    dialogs.asked.length = 0;
    trees.choose('given-up');
    await trees.begin();
    assert.ok(!existsSync(trees.treeOf('given-up')), 'closing the question makes nothing');
  });

  it('SEC-73: applies the changes to the workspace, merged with the user’s own, after a preview', async () => {
    const mine = path.join(workspaceFolder(), 'applied.txt');
    const [one, three] = ['one\n', 'three\n'];
    await writeFile(mine, `${one}two\n${three}`);
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    try {
      await trees.created('applied');
      await writeFile(path.join(trees.treeOf('applied'), 'applied.txt'), `ONE\ntwo\n${three}`);
      await writeFile(path.join(trees.treeOf('applied'), 'added.txt'), 'added\n');
      const document = await vscode.workspace.openTextDocument(mine);
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(3, 0), 'four\n'));
      assert.ok(document.isDirty);
      const node = await waitFor(
        () => bench.nodes().find((each) => each.kind === 'worktree'),
        'the worktree in the view',
      );
      dialogs.asked.length = 0;
      const applied = trees.finish('Apply to Workspace…', node);
      const { title, choices, text } = await decideInPreview('apply');
      await applied;
      assert.deepEqual([title, choices], ['Apply “applied” to the Workspace', ['apply']]);
      assert.match(text, /^Merged with your own changes: applied\.txt\.$/m);
      assert.deepEqual(dialogs.texts('pick'), []);
      assert.equal(document.getText(), `ONE\ntwo\n${three}four\n`);
      assert.equal(readFileSync(path.join(workspaceFolder(), 'added.txt'), 'utf8'), 'added\n');
      assert.match(
        dialogs.texts('information').join(),
        /Applied \d files? of “applied” to the workspace/,
      );
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await rm(mine, { force: true });
      await rm(path.join(workspaceFolder(), 'added.txt'), { force: true });
    }
  });

  it('SEC-351: moves changes out of the folder, also of a file in an editor, but no unsaved text', async () => {
    const file = path.join(workspaceFolder(), 'moved.txt');
    await writeFile(file, 'before\n');
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    await writeFile(file, 'after\n');
    const move = async (): Promise<void> => {
      dialogs.answer = ({ kind, choices }) =>
        kind === 'input' ? 'moved' : choices.find((choice) => /^(?:moved\.txt|Move)$/.test(choice));
      await trees.run('session.moveToWorktree', await bench.session('The first'));
    };
    try {
      const document = await vscode.workspace.openTextDocument(file);
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'unsaved\n'));
      await move();
      assert.match(dialogs.texts('error').join(), /^Nothing was moved\. With unsaved .*moved\.txt/);
      assert.ok(!existsSync(trees.treeOf('moved')));
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await move();
      await waitFor(() => document.getText() === 'before\n', 'the text of the commit');
      assert.ok(!document.isDirty);
      const there = path.join(trees.treeOf('moved'), 'moved.txt');
      assert.equal(readFileSync(there, 'utf8'), 'after\n');
    } finally {
      await rm(file, { force: true });
    }
  });

  it('puts both texts into the file where they conflict, and opens the merge editor', async () => {
    const mine = path.join(workspaceFolder(), 'conflict.txt');
    await writeFile(mine, 'base\n');
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    try {
      await trees.created('conflict');
      await writeFile(path.join(trees.treeOf('conflict'), 'conflict.txt'), 'theirs\n');
      await writeFile(mine, 'mine\n');
      const applied = trees.finish('Apply to Workspace…');
      await decideInPreview('apply');
      await applied;
      const text = readFileSync(mine, 'utf8');
      assert.equal(text, '<<<<<<< Workspace\nmine\n=======\ntheirs\n>>>>>>> conflict\n');
      const isMerge = ({ label }: vscode.Tab): boolean => /conflict\.txt/.test(label);
      await waitFor(
        () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(isMerge),
        'the merge editor',
      );
      const hasText = ({ uri, isDirty }: vscode.TextDocument): boolean =>
        uri.fsPath === mine && isDirty;
      await waitFor(() => vscode.workspace.textDocuments.some(hasText), 'what it begins with');
    } finally {
      await vscode.workspace.saveAll();
      await rm(mine, { force: true });
    }
  });

  it('asks several agents, each in its own worktree, compares them, and removes the others', async () => {
    const other = fakeEntry('Other', { initialize: ableInitialize, record: bench.file('other') });
    const fake = fakeEntry('Fake', { initialize: ableInitialize, record: bench.file('log') });
    await bench.setAgents({ fake, other });
    const { page, first } = await trees.planned();
    await first.choose('add', '');
    page.turns.submit({ text: 'Do it', attachments: [] });
    for (const [agent, log] of [
      ['fake', 'log'],
      ['other', 'other'],
    ] as const) {
      const cwd = trees.treeOf(`do-it-${agent}`);
      await waitFor(
        () => bench.api.sessions.all.some((it) => it.agent.id === agent && it.info.cwd === cwd),
        `the session of ${agent}`,
      );
      await waitFor(
        async () => (await bench.received(log)).some(({ method }) => method === 'session/prompt'),
        `the prompt for ${agent}`,
      );
    }
    assert.match(trees.git('branch'), /do-it\/fake[^]*do-it\/other/);
    await writeFile(path.join(trees.treeOf('do-it-fake'), 'both.txt'), 'one\n');
    await writeFile(path.join(trees.treeOf('do-it-other'), 'both.txt'), 'another\n');
    const node = await waitFor(
      () =>
        bench
          .nodes()
          .find((each) => each.kind === 'worktree' && each.worktree.branch === 'do-it/fake'),
      'the first worktree in the view',
    );
    dialogs.asked.length = 0;
    dialogs.answer = ({ choices }) => choices.at(-1);
    await trees.run('worktree.compare', node);
    assert.equal(dialogs.asked[0]?.details?.at(-1), 'of the same prompt');
    await waitFor(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith(
          'do-it/fake ↔ do-it/other',
        ),
      'both side by side',
    );
    dialogs.answer = ({ kind, choices }) =>
      kind === 'input'
        ? 'do-it/other'
        : (choices.find((choice) => choice === 'Remove the Others…') ??
          choices.find((choice) => choice.startsWith('Stop')) ??
          choices[0]);
    try {
      const applied = trees.finish('Apply to Workspace…', node);
      await decideInPreview('apply');
      await applied;
      const both = path.join(workspaceFolder(), 'both.txt');
      assert.equal(readFileSync(both, 'utf8'), 'one\n');
      await waitFor(() => !existsSync(trees.treeOf('do-it-other')), 'the other to be removed');
      assert.ok(existsSync(trees.treeOf('do-it-fake')));
    } finally {
      await rm(path.join(workspaceFolder(), 'both.txt'), { force: true });
    }
  });
});
