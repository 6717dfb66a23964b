import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import {
  chooseInMenu,
  closeAllEditors,
  editorTab,
  menuItem,
  openSessionsView,
  runCommand,
  transcriptFrame,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** What the menus of VS Code pass to our commands. */
export function describeAsking(ui: Readonly<Workbench>): void {
  const prompt = (): Locator => transcriptFrame(ui.page).getByRole('textbox', { name: 'Prompt' });
  const attachments = (): Locator =>
    transcriptFrame(ui.page).getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const explain = 'Explain with Agent…';

  async function becomes(text: string): Promise<void> {
    await prompt().waitFor();
    for (let attempt = 0; attempt < 200 && (await prompt().inputValue()) !== text; attempt++) {
      await ui.page.waitForTimeout(50);
    }
    assert.equal(await prompt().inputValue(), text);
  }

  /** Opens the menu and chooses. */
  async function choose(on: Locator, item: string, picture: string): Promise<void> {
    await on.click({ button: 'right' });
    await menuItem(ui.page, item).waitFor();
    assert.equal(await menuItem(ui.page, item).count(), 1);
    await screenshot(ui.page, picture);
    await chooseInMenu(ui.page, item);
  }

  afterEach(async () => {
    await closeAllEditors(ui.page);
    await openSessionsView(ui.page);
  });

  it('about a file of the Explorer', async () => {
    const { page, workspace } = ui;
    await writeFile(path.join(workspace, 'asked.txt'), 'one\n');
    await runCommand(page, 'View: Show Explorer');
    const file = page
      .locator('.explorer-folders-view')
      .getByRole('treeitem', { name: 'asked.txt' });
    await choose(file, explain, 'ask-explorer');
    await becomes('Explain asked.txt.');
    assert.equal(await attachments().count(), 1);
  });

  it('about a change in Source Control', async () => {
    const { page } = ui;
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Source Control/ })
      .click();
    const change = page.locator('.scm-view').getByRole('treeitem', { name: /^asked\.txt/ });
    await choose(change, explain, 'ask-change');
    await becomes('Explain the changes of asked.txt.');
    assert.deepEqual(await attachments().allTextContents(), ['Changes of asked.txt', 'asked.txt']);
    await screenshot(page, 'ask-change-composer');
  });

  it('about what ran in a terminal', async () => {
    const { page, workspace } = ui;
    await appendFile(path.join(workspace, 'asked.txt'), 'two\n');
    await runCommand(page, 'Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active .xterm');
    // Decorations show that the shell has its integration: one at the prompt, then one of the command that has failed.
    await page.locator('.terminal-command-decoration').first().waitFor();
    await terminal.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('cat asked.txt missing.txt');
    await page.keyboard.press('Enter');
    await page.locator('.terminal-command-decoration.error').waitFor();
    await choose(terminal.locator('.xterm-screen'), explain, 'ask-terminal');
    await becomes('Explain the output of this command.');
    assert.deepEqual(await attachments().allTextContents(), ['cat asked.txt missing.txt']);
    await attachments().first().getByRole('button', { name: /^Open/ }).click();
    await editorTab(page, /^cat asked\.txt missing - \d+ bytes/).waitFor();
    await screenshot(page, 'ask-terminal-preview');
    await runCommand(page, 'Terminal: Kill All Terminals');
  });
}
