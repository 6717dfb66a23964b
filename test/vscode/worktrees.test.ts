import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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

describe('sessions in worktrees', () => {
  let trees: WorktreeBench;
  let bench: ExtensionBench;
  let dialogs: Dialogs;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    ({ bench, dialogs } = trees);
  });
  afterEach(() => trees.dispose());

  it('begins on a branch of its own, in its own folder, with what the composer held', async () => {
    await trees.run('session.open', await bench.session('The first'));
    const first = await waitFor(() => bench.api.panels.find('fake', 's1'), 'the first');
    await waitFor(() => bench.api.panels.active === first, 'its focus');
    await bench.api.work.read();
    const draft = { text: 'Fix the parser', attachments: [] };
    bench.api.work.setDraft(
      { agentId: 'fake', sessionId: 's1', cwd: workspaceFolder() } as never,
      draft,
    );
    const session = await trees.created('fix-the-parser');
    const panel = await waitFor(() => bench.api.panels.active, 'its tab');
    assert.equal(panel.session, session);
    assert.deepEqual(dialogs.asked[1]?.choices.slice(0, 2), ['main', 'Another Branch…']);
    assert.equal(
      execFileSync('git', ['symbolic-ref', '--short', 'HEAD'], {
        cwd: session.info.cwd,
        encoding: 'utf8',
      }),
      'fix-the-parser\n',
    );
    const { sessionId } = session.info;
    assert.equal(bench.api.work.draftOf('fake', sessionId).draft.text, 'Fix the parser');
    const below = await waitFor(
      () => bench.nodes().find((node) => node.kind === 'worktree'),
      'the worktree in the view',
    );
    assert.equal(bench.api.view.getTreeItem(below).label, 'fix-the-parser');
  });

  it('shows the script before it runs it, in the worktree, and begins when it has ended', async () => {
    await update('newWorktree.script', 'echo "$ACP_SESSIONS_SOURCE" > prepared.txt');
    trees.choose('prepared', 'main', ({ choices }) => choices.find((choice) => choice === 'Run'));
    await trees.run('session.newInWorktree');
    const [asked] = dialogs.asked.filter(({ kind }) => kind === 'information');
    assert.equal(asked?.detail, 'echo "$ACP_SESSIONS_SOURCE" > prepared.txt');
    const file = path.join(trees.treeOf('prepared'), 'prepared.txt');
    const text = readFileSync(file, 'utf8').trim();
    assert.equal(await realpath(text), await realpath(workspaceFolder()));
    assert.ok(bench.api.sessions.all.some(({ info }) => info.cwd === trees.treeOf('prepared')));
    dialogs.asked.length = 0;
    trees.choose('not-run', 'main', ({ choices }) => choices.at(-1));
    await trees.run('session.newInWorktree');
    assert.ok(existsSync(trees.treeOf('not-run')));
    assert.ok(!existsSync(path.join(trees.treeOf('not-run'), 'prepared.txt')));
    dialogs.asked.length = 0;
    await update('newWorktree.script', 'echo hi\u200b > prepared.txt');
    trees.choose('unseen', 'main', ({ choices }) => choices[0]);
    await trees.run('session.newInWorktree');
    const [unseen] = dialogs.asked.filter(({ kind }) => kind === 'information');
    assert.deepEqual(
      [unseen?.detail, unseen?.choices],
      ['echo hi⟨U+200B⟩ > prepared.txt', ['Create without Running It']],
    );
    assert.ok(!existsSync(path.join(trees.treeOf('unseen'), 'prepared.txt')));
    dialogs.asked.length = 0;
    trees.choose('given-up');
    await trees.run('session.newInWorktree');
    assert.ok(!existsSync(trees.treeOf('given-up')), 'closing the question makes nothing');
  });

  it('says what is wrong: no commits, a name that is an option, a branch in use', async () => {
    trees.choose('-b');
    await trees.run('session.newInWorktree');
    assert.match(dialogs.texts('error').join(), /doesn’t allow this as the name of a branch/);
    trees.choose('main');
    await trees.run('session.newInWorktree');
    assert.match(dialogs.texts('error').at(-1) ?? '', /This branch is checked out in/);
    await rm(path.join(workspaceFolder(), '.git'), { recursive: true });
    trees.git('init', '-b', 'main');
    trees.choose('x');
    await trees.run('session.newInWorktree');
    assert.match(dialogs.texts('error').at(-1) ?? '', /no commits yet/);
    assert.ok(!existsSync(path.dirname(trees.treeOf('x'))));
    assert.deepEqual(
      await bench
        .received('log')
        .then((all) => all.filter(({ method }) => method === 'session/new')),
      [],
    );
    await writeFile(path.join(workspaceFolder(), '.git', 'HEAD'), 'nothing');
  });

  it('are marked with their branch, and offer what can be done with worktrees', async () => {
    await trees.created('marked');
    const session = bench.api.sessions.all.find(({ info }) => info.cwd === trees.treeOf('marked'));
    const words = (): string =>
      bench
        .nodes()
        .filter((node) => node.kind === 'worktree' || node.kind === 'session')
        .map((node) => bench.api.view.getTreeItem(node).contextValue ?? '')
        .filter((value) => / worktree\b/.test(value))
        .join('\n');
    await waitFor(() => words().split('\n').length === 2, 'the worktree and its session');
    const panel = await waitFor(() => bench.api.panels.active, 'its tab');
    assert.equal(panel.session, session);
    assert.equal(bench.api.worktrees.at(trees.treeOf('marked'))?.branch, 'marked');
    assert.equal(bench.api.worktrees.at(workspaceFolder()), undefined, 'the main one isn’t marked');
  });

  it('compares everything that has changed since the base', async () => {
    await trees.created('compared');
    await writeFile(path.join(trees.treeOf('compared'), 'new.txt'), 'new\n');
    await trees.run('worktree.compareWithBase');
    const tab = await waitFor(() => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.label.startsWith('compared since its base') ? activeTab : undefined;
    }, 'the comparison');
    assert.match(tab.label, /^compared since its base/);
    assert.deepEqual(dialogs.texts('information'), []);
  });

  it('applies the changes to the workspace, merged with the user’s own, after a preview', async () => {
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
      const applied = trees.run('worktree.applyToWorkspace', node);
      const { title, choices, text } = await decideInPreview('apply');
      await applied;
      assert.deepEqual([title, choices], ['Apply “applied” to the Workspace', ['apply']]);
      assert.match(text, /^Merged with your own changes: applied\.txt\.$/m);
      assert.deepEqual(dialogs.texts('pick'), []);
      assert.equal(document.getText(), `ONE\ntwo\n${three}four\n`);
      assert.equal(readFileSync(path.join(workspaceFolder(), 'added.txt'), 'utf8'), 'added\n');
      assert.match(dialogs.texts('information').join(), /Applied “applied” to the workspace/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await rm(mine, { force: true });
      await rm(path.join(workspaceFolder(), 'added.txt'), { force: true });
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
      const applied = trees.run('worktree.applyToWorkspace');
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

  it('removes the worktree, and asks for its name only if something would be lost', async () => {
    const session = await trees.created('done');
    dialogs.asked.length = 0;
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Remove the Worktree');
    await trees.run('worktree.remove');
    assert.deepEqual(
      dialogs.asked.filter(({ kind }) => kind === 'input'),
      [],
    );
    assert.ok(!existsSync(trees.treeOf('done')));
    assert.equal(bench.api.sessions.find('fake', session.info.sessionId), undefined);
    assert.match(trees.git('branch'), /done/, 'its branch is still there');
    await trees.created('dirty');
    await writeFile(path.join(trees.treeOf('dirty'), 'new.txt'), 'new\n');
    const answers = (typed: string): void => {
      dialogs.answer = ({ kind, choices }) => (kind === 'input' ? typed : choices[1]);
    };
    answers('dirt');
    dialogs.asked.length = 0;
    await trees.run('worktree.remove');
    assert.ok(existsSync(trees.treeOf('dirty')));
    assert.ok(dialogs.asked[0]?.choices.includes('new.txt'), 'it is in the list');
    answers('dirty');
    await trees.run('worktree.remove');
    assert.ok(!existsSync(trees.treeOf('dirty')));
    await trees.created('applied');
    const places = [trees.treeOf('applied'), workspaceFolder()].map((top) =>
      path.join(top, 'same.txt'),
    );
    try {
      await Promise.all(places.map((file) => writeFile(file, 'the same\n')));
      answers('');
      dialogs.asked.length = 0;
      await trees.run('worktree.remove');
      assert.deepEqual(
        dialogs.asked.filter(({ kind }) => kind === 'input'),
        [],
        'nothing is lost',
      );
      assert.ok(!existsSync(trees.treeOf('applied')));
    } finally {
      await Promise.all(places.map((file) => rm(file, { force: true })));
    }
    assert.doesNotMatch(trees.git('branch'), /dirty/);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('changes nothing of a session in the main worktree', async () => {
    await trees.run('session.open', await bench.session('The first'));
    await waitFor(() => bench.api.panels.active, 'its tab');
    for (const command of ['remove', 'applyToWorkspace', 'compareWithBase', 'openInNewWindow']) {
      await trees.run(`worktree.${command}`);
      assert.match(dialogs.texts('error').at(-1) ?? '', /isn’t a worktree beside the main one/);
    }
  });

  it('asks several agents, each in its own worktree, compares them, and removes the others', async () => {
    const other = fakeEntry('Other', { initialize: ableInitialize, record: bench.file('other') });
    const fake = fakeEntry('Fake', { initialize: ableInitialize, record: bench.file('log') });
    await bench.setAgents({ fake, other });
    dialogs.answer = ({ kind, text, choices }) =>
      kind === 'pick'
        ? choices.includes('Other')
          ? 'Fake\nOther'
          : choices[0]
        : text === 'Ask Several Agents' &&
            dialogs.asked.filter((it) => it.kind === 'input').length < 2
          ? 'Do it'
          : 'do-it';
    await trees.run('session.newOfSeveral');
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
    dialogs.answer = ({ choices }) => choices[0];
    await trees.run('worktree.compareWithAnother', node);
    assert.deepEqual(dialogs.asked[0]?.details, ['of the same prompt']);
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
      const applied = trees.run('worktree.applyToWorkspace', node);
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
