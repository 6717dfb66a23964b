import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { branchOf, crew, names, treeOf } from './day/crew';
import { checkCommand, git, makeProject } from './day/project';
import { DayOfWork } from './day/work';
import { hideBrowserParts, Recording, screenshotsAreAsked } from './harness/screenshot';
import { useWorkbench } from './harness/workbench';

describe('a day of work', () => {
  const ui = useWorkbench('day', async (folder) => {
    const workspace = await makeProject(folder);
    return {
      workspace,
      settings: {
        'acpSessions.agents': { demo: null, ...crew(workspace) },
        'acpSessions.check.command': checkCommand,
        'acpSessions.registry': '',
        'acpSessions.sessions.rememberLists': false,
        'editor.cursorBlinking': 'solid',
        'editor.minimap.enabled': false,
        'window.commandCenter': false,
        'workbench.layoutControl.enabled': false,
      },
      viewport: { width: 1200, height: 750 },
    };
  });

  const recording = new Recording('day');

  before(async () => {
    if (screenshotsAreAsked) await hideBrowserParts(ui.page);
  });

  it('asks three agents, answers two of them, takes the best of each, and leaves nothing over', async () => {
    const { workspace } = ui;
    const day = new DayOfWork(ui, (step) => recording.take(ui.page, step));
    const textOf = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');

    await day.asksThree();
    await day.answersAtGlance();
    await day.answersByKeyboard();
    await day.compares();
    const trees = git(workspace, 'worktree', 'list', '--porcelain');
    for (const name of names) assert.ok(trees.includes(`branch refs/heads/${branchOf(name)}`));

    await day.appliesHunks();
    assert.equal(git(workspace, 'status', '--porcelain'), '');
    const taken = readFileSync(path.join(treeOf(workspace, 'Ada'), 'test/email.test.js'), 'utf8');
    assert.match(taken, /refuses a domain without a dot/);

    await day.checks(checkCommand);
    const message = 'Refuse addresses without a domain';
    await day.commits(message);
    assert.equal(git(workspace, 'log', '-1', '--format=%an %s', branchOf('Ada')), `Mia ${message}`);

    git(workspace, 'merge', '--quiet', '--ff-only', branchOf('Ada'));
    await day.cleansUp();
    assert.equal(git(workspace, 'worktree', 'list').split('\n').length, 1);
    assert.equal(git(workspace, 'branch', '--format=%(refname:short)'), 'main');
    assert.deepEqual(
      names.filter((name) => existsSync(treeOf(workspace, name))),
      [],
    );
    assert.equal(git(workspace, 'log', '--format=%s'), `${message}\nCheck addresses`);
    assert.equal(git(workspace, 'status', '--porcelain'), '');
    assert.match(textOf('src/email.js'), /trim\(\)/);
    // One agent's code passes the other one's tests.
    execFileSync('node', ['--test', 'test/email.test.js'], { cwd: workspace });
    await recording.keep();
  });
});
