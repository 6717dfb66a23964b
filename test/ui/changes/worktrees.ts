import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import {
  chooseInMenu,
  chooseViewOption,
  closeAllEditors,
  editorTab,
  menuItem,
  runCommand,
  transcriptFrame,
  treeRow,
  webviewWith,
} from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

/** Sessions in worktrees, of a workspace that is a repository of Git, on the branch `trunk`. */
export function describeWorktrees(ui: Readonly<Workbench>): void {
  useAgents(ui, ({ folder }) => {
    const demo = (name: string) => ({
      title: name,
      command: '${demoAgent}',
      args: ['--store', path.join(folder, name)],
    });
    return { ada: demo('Ada'), ben: demo('Ben') };
  });

  before(async () => {
    git(ui.workspace, 'add', '-A');
    git(ui.workspace, 'commit', '-q', '-m', 'First');
    // A webview that is ready late, after a reload, would take the focus from a list and so close it.
    await closeAllEditors(ui.page);
    await chooseViewOption(ui.page, 'Agent');
  });

  function git(cwd: string, ...args: string[]): string {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8' });
  }

  const quick = () => ui.page.locator('.quick-input-widget:visible');

  async function choose(label: string | RegExp): Promise<void> {
    await quick().locator('.monaco-list-row', { hasText: label }).first().click();
  }

  async function answer(question: string, text: string): Promise<void> {
    await quick().getByText(question).waitFor();
    const field = quick().getByRole('textbox');
    await field.fill(text);
    await field.press('Enter');
  }

  /** `act`: what is done with the notification, which closes the list. */
  async function isNotified(text: string, act?: (said: Locator) => Promise<void>): Promise<void> {
    const bell = ui.page.locator('.statusbar [id="status.notifications"]');
    const said = ui.page.locator('.notification-list-item', { hasText: text }).first();
    // A list that was opened before it comes may close again.
    for (let attempt = 0; attempt < 20 && !(await said.isVisible()); attempt++) {
      if (!(await ui.page.locator('.notifications-center').isVisible())) await bell.click();
      await said.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await said.waitFor({ timeout: 1_000 });
    await (act?.(said) ?? bell.click());
  }

  /** An action of the menu "Worktree" of a row, which has it once its folder is known to be a worktree. */
  async function fromMenu(row: RegExp, action: string): Promise<void> {
    const { page } = ui;
    for (let attempt = 0; attempt < 5; attempt++) {
      await treeRow(page, row).first().click({ button: 'right' });
      const isThere = await menuItem(page, 'Worktree')
        .hover({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
      if (isThere) {
        await chooseInMenu(page, action);
        return;
      }
      await page.keyboard.press('Escape');
    }
    throw new Error(`The row ${row} has no menu for its worktree`);
  }

  const applies = () =>
    ui.page.locator('.editor-actions').getByRole('button', { name: 'Apply These Changes' });

  it('begins, changes files of its own, is applied to the workspace, and goes', async () => {
    const { page, workspace } = ui;
    const tree = path.join(`${workspace}.worktrees`, 'try-it');

    await runCommand(page, 'ACP Sessions: New Session');
    const frame = transcriptFrame(page);
    await frame.getByRole('button', { name: /^Agent:/ }).click();
    await frame.getByRole('option', { name: 'Ada' }).click();
    await frame.getByRole('button', { name: /^Where:/ }).click();
    await frame.getByRole('option', { name: 'New worktree' }).click();
    await frame.getByRole('button', { name: 'Branch: named after the prompt' }).click();
    const name = quick().getByRole('textbox');
    await quick().getByText('Name of the branch').waitFor();
    await name.fill('-b');
    await quick().getByText('Git doesn’t allow this').waitFor();
    await name.fill('try-it');
    await quick().getByText(`In ${tree}`).waitFor();
    await name.press('Enter');
    await frame.getByRole('button', { name: 'Branch: try-it' }).waitFor();
    await frame.getByRole('button', { name: 'Begins at: trunk' }).click();
    await choose(/^trunk/);

    await frame.getByRole('textbox', { name: 'Prompt' }).fill('/diff notes.md ');
    await screenshot(page, 'worktree-planned');
    assert.ok(!existsSync(tree), 'nothing is made yet');
    await frame.getByRole('textbox', { name: 'Prompt' }).press('Enter');
    await frame.locator('.header-facts', { hasText: 'try-it' }).waitFor();
    await treeRow(page, /^try-it/).waitFor();
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('The change is made').first().waitFor();
    assert.ok(existsSync(path.join(tree, 'notes.md')));
    assert.ok(!existsSync(path.join(workspace, 'notes.md')), 'not in the workspace');
    await frame.getByText('is working').waitFor({ state: 'detached' });
    await screenshot(page, 'worktree-session');

    await runCommand(page, 'ACP Sessions: Finish Worktree…');
    await choose('Apply to Workspace…');
    await applies().waitFor();
    await page.getByText('Files that change, uncommitted: 1').first().waitFor();
    await screenshot(page, 'worktree-apply');
    await applies().click();
    await isNotified('Applied 1 file of “try-it” to the workspace');
    assert.equal(
      readFileSync(path.join(workspace, 'notes.md'), 'utf8'),
      readFileSync(path.join(tree, 'notes.md'), 'utf8'),
    );
    assert.match(git(workspace, 'status', '--porcelain'), /^\?\? notes\.md$/m);

    await fromMenu(/^try-it/, 'Remove Worktree…');
    await quick()
      .getByText('Not committed, and the same in the workspace', { exact: true })
      .waitFor();
    await screenshot(page, 'worktree-remove');
    await choose('Remove the Worktree and Its Branch');
    await isNotified('Removed the worktree');
    assert.ok(!existsSync(tree));
    assert.equal(git(workspace, 'branch', '--format=%(refname:short)'), 'trunk\n');
    await treeRow(page, /^try-it/).waitFor({ state: 'detached' });
    git(workspace, 'add', '-A');
    git(workspace, 'commit', '-q', '-m', 'Second');
  });

  it('is one of several for the same prompt: compared, one applied, the other removed', async () => {
    const { page, workspace } = ui;
    const treeOf = (name: string) => path.join(`${workspace}.worktrees`, `todo-${name}`);
    await closeAllEditors(page);
    await runCommand(page, 'ACP Sessions: New Session');
    const begun = transcriptFrame(page);
    await begun.getByRole('button', { name: 'Another Agent' }).click();
    await begun.getByRole('group', { name: 'Agents that get the prompt' }).waitFor();
    await begun.getByRole('button', { name: /^Branch: / }).click();
    await quick().getByText('Name of the branch').waitFor();
    await screenshot(page, 'worktrees-several-branch');
    await quick()
      .getByText(/…\/(ada|ben), …\/(ada|ben)/)
      .waitFor();
    await answer('Name of the branch', 'todo');
    await begun.getByRole('button', { name: 'Branch: todo/…' }).waitFor();
    await screenshot(page, 'worktrees-several-agents');
    const first = begun.getByRole('textbox', { name: 'Prompt' });
    await first.fill('/diff todo.md ');
    await first.press('Enter');
    for (const name of ['ada', 'ben']) {
      await editorTab(page, /^Comparison of Sessions/).click();
      const compared = await webviewWith(page, '.comparison');
      const column = compared.locator('.comparison-column', { hasText: `todo/${name}` });
      await column.getByRole('button', { name: 'Open', exact: true }).click();
      const frame = transcriptFrame(page);
      await frame.getByRole('button', { name: 'Allow once' }).click();
      await frame.getByText('The change is made').first().waitFor();
      assert.ok(existsSync(path.join(treeOf(name), 'todo.md')));
      assert.match(git(workspace, 'branch'), new RegExp(`todo/${name}`));
    }
    await treeRow(page, /todo\.md/)
      .nth(1)
      .waitFor();
    await screenshot(page, 'worktrees-several-done');

    const ofBen = transcriptFrame(page);
    await ofBen.getByRole('textbox', { name: 'Prompt' }).fill('/diff more.md ');
    await ofBen.getByRole('textbox', { name: 'Prompt' }).press('Enter');
    await ofBen.getByRole('button', { name: 'Allow once' }).click();
    await ofBen.getByText('The change is made').nth(1).waitFor();
    await fromMenu(/^todo\/ada/, 'Compare Worktree…');
    await quick().getByText('of the same prompt').waitFor();
    await screenshot(page, 'worktrees-several-compare');
    await choose('todo/ben');
    await editorTab(page, /^todo\/ada ↔ todo\/ben/).waitFor();
    await page.locator('.multiDiffEntry:visible', { hasText: 'more.md' }).waitFor();
    await screenshot(page, 'worktrees-several-compared');

    await fromMenu(/^todo\/ada/, 'Finish Worktree…');
    await choose('Apply Hunks…');
    await choose(path.basename(workspace));
    await quick().getByText('todo.md (new)').waitFor();
    await editorTab(page, /^todo\.md \(todo\/ada\)/).waitFor();
    await screenshot(page, 'worktrees-several-hunks');
    await page.keyboard.press('Escape');

    await treeRow(page, /^Ben\b/)
      .first()
      .click();
    await fromMenu(/^todo\/ben/, 'Finish Worktree…');
    await choose('Apply to Workspace…');
    await applies().click();
    await isNotified('of “todo/ben” to the workspace', async (applied) => {
      await screenshot(page, 'worktrees-several-applied');
      writeFileSync(path.join(treeOf('ada'), 'only here.md'), 'Nowhere else\n');
      await applied.getByRole('button', { name: 'Remove the Others…' }).click();
    });
    await quick().getByText('Not committed, and lost', { exact: true }).waitFor();
    await screenshot(page, 'worktrees-several-remove');
    await choose('Remove the Worktree and Its Branch');
    await answer('Lost with it: only here.md', 'todo/ada');
    await treeRow(page, /^todo\/ada/)
      .first()
      .waitFor({ state: 'detached' });
    await screenshot(page, 'worktrees-several-end');
    assert.deepEqual(
      ['todo.md', 'more.md'].map((name) => existsSync(path.join(workspace, name))),
      [true, true],
    );
    assert.deepEqual([existsSync(treeOf('ada')), existsSync(treeOf('ben'))], [false, true]);
    assert.doesNotMatch(git(workspace, 'branch'), /todo\/ada/);
  });
}
