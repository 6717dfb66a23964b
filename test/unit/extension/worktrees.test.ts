import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { ableInitialize } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';

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
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab');
    assert.deepEqual(dialogs.asked[1]?.choices.slice(0, 2), ['main', 'Another Branch…']);
    assert.equal(
      execFileSync('git', ['symbolic-ref', '--short', 'HEAD'], {
        cwd: session.info.cwd,
        encoding: 'utf8',
      }),
      'fix-the-parser\n',
    );
    const { sessionId } = session.info;
    assert.equal(bench.api.work.getDraft('fake', sessionId).draft.text, 'Fix the parser');
    const below = await waitFor(
      () => bench.nodes().find((node) => node.kind === 'worktree'),
      'the worktree in the view',
    );
    assert.equal(bench.api.view.getTreeItem(below).label, 'fix-the-parser');
  });

  it('gets the ignored files that VS Code’s setting names, and says which the agent can read now', async () => {
    const git = vscode.workspace.getConfiguration('git');
    await writeFile(path.join(workspaceFolder(), '.env'), 'SECRET=1\n');
    await writeFile(path.join(workspaceFolder(), '.git', 'info', 'exclude'), '.env\n');
    await git.update('worktreeIncludeFiles', ['.env'], vscode.ConfigurationTarget.Global);
    try {
      await trees.created('ignored');
      assert.ok(existsSync(path.join(trees.treeOf('ignored'), '.env')));
      assert.match(dialogs.texts('information').join(), /where the agent can read them.*: \.env\./);
    } finally {
      await git.update('worktreeIncludeFiles', undefined, vscode.ConfigurationTarget.Global);
      await rm(path.join(workspaceFolder(), '.env'));
    }
  });

  it('are planned on the page, named after the prompt, and made when it is sent', async () => {
    await writeFile(path.join(workspaceFolder(), 'seen.txt'), 'here\n');
    trees.git('add', '-A');
    trees.git('commit', '-q', '-m', 'Second');
    const { page, first } = await trees.planned();
    const facts = () => first.choices.facts?.map(({ name, value }) => `${name}: ${value}`);
    assert.deepEqual(facts(), ['Branch: named after the prompt', 'Begins at: main']);
    const file = { type: 'file', name: 'seen.txt' } as const;
    const uri = pathToFileURL(path.join(workspaceFolder(), 'seen.txt')).href;
    const draft = { text: 'Fix the nest', attachments: [{ ...file, uri }] };
    const saved = { agentId: 'fake', ...page.info, title: '' };
    bench.api.work.setDraft(saved, draft);
    assert.deepEqual(facts(), ['Branch: fix-the-nest', 'Begins at: main']);
    assert.doesNotMatch(trees.git('branch'), /nest/);
    // Something is there that wasn't known when it was planned.
    await mkdir(trees.treeOf('fix-the-nest'), { recursive: true });
    await writeFile(path.join(trees.treeOf('fix-the-nest'), 'mine'), '');
    page.turns.submit(draft);
    const session = await trees.sessionOf('fix-the-nest-2');
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab in place');
    const prompt = await waitFor(
      async () => (await bench.received('log')).find(({ method }) => method === 'session/prompt'),
      'the prompt',
    );
    const moved = path.join(trees.treeOf('fix-the-nest-2'), 'seen.txt');
    assert.match(JSON.stringify(prompt), new RegExp(pathToFileURL(moved).href));
    await rm(path.join(workspaceFolder(), 'seen.txt'));
  });

  it('give the prompt back with the reason if they can’t be made, and the options stay', async () => {
    const { page, first } = await trees.planned();
    trees.choose('taken');
    await first.choose('fact', 'branch');
    trees.git('branch', 'taken');
    const returned: string[] = [];
    first.onDidReturn(({ text }) => returned.push(text));
    page.turns.submit({ text: 'Go', attachments: [] });
    await waitFor(() => returned.length === 1, 'the prompt');
    assert.match(JSON.stringify(page.phase), /There is already a branch “taken”/);
    assert.equal(page.turns.current.kind, 'idle');
    assert.deepEqual(bench.api.sessions.all, []);
    trees.choose('free');
    await first.choose('fact', 'branch');
    page.turns.submit({ text: 'Go', attachments: [] });
    const session = await trees.sessionOf('free');
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab in place');
  });

  it('are made for each of several agents, one of them twice, which are compared then', async () => {
    const models = ['oak', 'fern'].map((value) => ({ value, name: value }));
    const model = { ...{ id: 'model', name: 'Model', category: 'model' }, currentValue: 'oak' };
    const configOptions = [{ ...model, type: 'select', options: models }];
    const agent = (title: string) =>
      fakeEntry(title, { initialize: ableInitialize, setup: { configOptions } });
    await bench.setAgents({ fake: agent('Fake'), other: agent('Other') });
    const { page, first } = await trees.planned();
    await first.choose('add', '');
    await first.choose('add', '');
    await waitFor(() => page.phase.kind === 'ready', 'the third');
    const asked = () => first.choices.several?.agents ?? [];
    const names = () => asked().map(({ name }) => name);
    assert.deepEqual(names(), ['Fake', 'Other · oak', 'Other · oak']);
    await first.choose('agent', 'fake');
    await waitFor(() => page.phase.kind === 'ready', 'another agent');
    await page.setConfigOption('model', 'fern');
    const [one, , three] = asked();
    const saved = { agentId: 'fake', ...page.info, title: '' };
    bench.api.work.setDraft(saved, { text: 'Sing', attachments: [] });
    await first.choose('show', one?.key ?? '');
    assert.equal(page.facts.configOptions[0]?.value, 'oak');
    await first.choose('show', three?.key ?? '');
    assert.equal(bench.api.work.getDraft('fake', page.info.sessionId).draft.text, 'Sing');
    const { folder, facts } = first.choices;
    assert.deepEqual(names(), ['Fake · oak', 'Other', 'Fake · fern']);
    assert.equal(facts?.[0]?.value, 'sing/…');
    assert.ok(folder.choices.every(({ value }) => value.startsWith('made:')));
    const [, other] = asked();
    await first.choose('remove', other?.key ?? '');
    page.turns.submit({ text: 'Sing', attachments: [] });
    const begun = await Promise.all(
      ['sing-fake', 'sing-fake-2'].map((name) => trees.sessionOf(name)),
    );
    assert.deepEqual(
      begun.map(
        ({
          facts: {
            configOptions: [option],
          },
        }) => option?.value,
      ),
      ['oak', 'fern'],
    );
    await waitFor(
      () =>
        vscode.window.tabGroups.activeTabGroup.tabs.some(
          ({ label }) => label === 'Comparison of Sessions',
        ),
      'the comparison',
    );
    assert.match(trees.git('branch'), /sing\/fake\n.*sing\/fake-2/);
    for (const session of begun) {
      await waitFor(() => session.shown.entries.length > 0, 'its prompt');
    }
  });

  it('says what is wrong: no commits, a name that is an option, a branch in use', async () => {
    const { page, first } = await trees.planned();
    trees.choose('-b');
    await first.choose('fact', 'branch');
    assert.match(dialogs.texts('error').join(), /doesn’t allow this as the name of a branch/);
    trees.choose('main');
    await first.choose('fact', 'branch');
    assert.match(dialogs.texts('error').at(-1) ?? '', /This branch is checked out in/);
    await rm(path.join(workspaceFolder(), '.git'), { recursive: true });
    trees.git('init', '-b', 'main');
    assert.equal(await first.begin(), undefined);
    assert.match(JSON.stringify(page.phase), /no commits yet/);
    assert.ok(!existsSync(path.dirname(trees.treeOf('x'))));
    assert.deepEqual(bench.api.sessions.all, []);
    await first.choose('folder', workspaceFolder());
    await first.choose('folder', `made:${workspaceFolder()}`);
    assert.match(dialogs.texts('error').at(-1) ?? '', /no commits yet/);
    assert.equal(first.choices.folder.value, workspaceFolder(), 'it’s the folder itself');
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
    await waitFor(() => bench.api.panels.active?.session === session, 'its tab');
    assert.equal(bench.api.worktrees.at(trees.treeOf('marked'))?.branch, 'marked');
    assert.equal(bench.api.worktrees.at(workspaceFolder()), undefined, 'the main one isn’t marked');
  });

  it('say how far their branch is, and say it again when a turn ends', async () => {
    const session = await trees.created('far');
    const { cwd } = session.info;
    const { worktreeStates, headerFacts, tree } = bench.api;
    await waitFor(() => worktreeStates.of(cwd)?.uncommitted === 0, 'its state');
    await writeFile(path.join(cwd, 'new.txt'), 'new\n');
    session.turns.submit({ text: 'Go on', attachments: [] });
    await waitFor(() => worktreeStates.of(cwd)?.uncommitted === 1, 'its state after the turn');
    assert.deepEqual(
      headerFacts.of(session).map(({ text }) => text),
      ['1 uncommitted'],
    );
    const row = await waitFor(
      () => bench.nodes().find((node) => node.kind === 'worktree'),
      'the worktree in the view',
    );
    assert.match(tree.tooltip(row) ?? '', /^Files that aren’t committed: 1$/m);
  });

  it('are committed with a message that the agent has proposed, and pushed only where there is a remote', async () => {
    const session = await trees.created('finished');
    await waitFor(() => session.phase.kind === 'ready', 'its beginning');
    const { cwd } = session.info;
    await writeFile(path.join(cwd, 'new.txt'), 'new\n');
    trees.gitIn(cwd, 'config', 'user.name', 'A');
    trees.gitIn(cwd, 'config', 'user.email', 'a@example.com');
    const finish = (...labels: readonly RegExp[]): Thenable<unknown> => {
      const left = [...labels];
      dialogs.answer = ({ kind, choices }) =>
        kind === 'input'
          ? 'Add new.txt'
          : choices.find((choice) => left[0]?.test(choice) && left.shift());
      return trees.run('worktree.finish');
    };
    dialogs.asked.length = 0;
    await finish(/Commit…/, /Ask Fake for a Message/, /Commit All Changes/);
    assert.match(JSON.stringify(session.transcript.entries), /Propose a message for a commit/);
    assert.equal(dialogs.asked.find(({ kind }) => kind === 'input')?.value, 'Done.');
    assert.ok(dialogs.asked[1]?.choices.includes('new.txt'), 'it is in the list');
    assert.match(
      trees.gitIn(cwd, 'log', '-1', '--format=%s', '--name-only'),
      /^Add new.txt\n\nnew.txt/,
    );
    await finish(/Push…/);
    assert.match(dialogs.texts('warning').join(), /has no remote to push to/);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('compares everything that has changed since the base', async () => {
    await trees.created('compared');
    await writeFile(path.join(trees.treeOf('compared'), 'new.txt'), 'new\n');
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.endsWith('Its Base'));
    await trees.run('worktree.compare');
    const tab = await waitFor(() => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.label.startsWith('compared since its base') ? activeTab : undefined;
    }, 'the comparison');
    assert.match(tab.label, /^compared since its base/);
    assert.deepEqual(dialogs.texts('information'), []);
  });

  describe('of which chosen hunks are applied', () => {
    const many = Array.from({ length: 9 }, (_, at) => `${at}\n`);
    let file: string;
    beforeEach(async () => {
      file = path.join(workspaceFolder(), 'hunks.txt');
      await writeFile(file, many.join(''));
      trees.git('add', '-A');
      trees.git('commit', '-q', '-m', 'Hunks');
    });
    afterEach(() => rm(file, { force: true }));

    it('applies the chosen hunks to another worktree of the same prompt', async () => {
      for (const branch of ['hunks/one', 'hunks/two']) {
        trees.choose(branch);
        await trees.begin();
      }
      const [one, two] = ['one', 'two'].map((end) =>
        path.join(trees.treeOf(`hunks-${end}`), 'hunks.txt'),
      );
      assert.ok(one !== undefined && two !== undefined);
      await writeFile(two, ['A\n', ...many.slice(1, 8), 'Z\n'].join(''));
      await writeFile(one, ['mine\n', ...many.slice(1)].join(''));
      dialogs.asked.length = 0;
      dialogs.answer = ({ kind, choices }) =>
        kind === 'pick'
          ? (choices.find((choice) => choice.includes('hunks/one')) ?? 'hunks.txt, line 9')
          : undefined;
      await trees.finish('Apply Hunks…');
      assert.equal(dialogs.asked[0]?.choices.length, 2, 'the workspace and the other one');
      assert.equal(await readFile(one, 'utf8'), ['mine\n', ...many.slice(1, 8), 'Z\n'].join(''));
      assert.equal(await readFile(file, 'utf8'), many.join(''));
      assert.match(dialogs.texts('information').join(), /“hunks\/two” to “hunks\/one”: 1 file/);
    });

    it('applies the chosen hunks, and nothing if one of them conflicts', async () => {
      const session = await trees.created('hunks');
      const there = path.join(trees.treeOf('hunks'), 'hunks.txt');
      await writeFile(there, ['A\n', ...many.slice(1, 8), 'Z\n'].join(''));
      const choose = (...chosen: string[]): void => {
        dialogs.asked.length = 0;
        dialogs.answer = ({ kind }) => (kind === 'pick' ? chosen.join('\n') : undefined);
      };
      choose('hunks.txt, line 9');
      await trees.finish('Apply Hunks…');
      assert.deepEqual(dialogs.asked[0]?.choices, [
        'hunks.txt',
        'hunks.txt, line 1',
        'hunks.txt, line 9',
      ]);
      assert.equal(await readFile(file, 'utf8'), [...many.slice(0, 8), 'Z\n'].join(''));
      const own = ['mine\n', ...many.slice(1)].join('');
      await writeFile(file, own);
      // Its tab is behind the hunk that was shown.
      await bench.api.panels.show(session);
      choose('hunks.txt, line 1', 'hunks.txt, line 9');
      await trees.finish('Apply Hunks…');
      assert.match(dialogs.asked.at(0)?.details?.[1] ?? '', /Changed there, too: A/);
      assert.match(dialogs.texts('error').join(), /Nothing of “hunks” was applied\..*hunks\.txt/);
      assert.equal(await readFile(file, 'utf8'), own);
    });
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
    for (const command of ['remove', 'finish', 'compare']) {
      await trees.run(`worktree.${command}`);
      assert.match(dialogs.texts('error').at(-1) ?? '', /isn’t a worktree beside the main one/);
    }
  });
});
