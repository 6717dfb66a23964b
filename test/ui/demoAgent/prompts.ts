import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { closeAllEditors, newSession, runCommand, transcriptFrame } from '../harness/window';
import type { Workbench } from '../harness/workbench';

export function describePrompts(ui: Readonly<Workbench>): void {
  let page: Page;
  let frame: FrameLocator;

  before(() => {
    page = ui.page;
  });

  beforeEach(async () => {
    await newSession(page);
    frame = transcriptFrame(page);
    await frame.getByRole('textbox', { name: 'Prompt' }).waitFor();
  });

  afterEach(async () => {
    if ((await editor().count()) > 0) {
      await runCommand(page, 'View: Revert and Close Editor');
    }
    await closeAllEditors(page);
  });

  const editor = () => page.locator('.editor-instance .monaco-editor');
  const focusedEditor = () => page.locator('.editor-instance .monaco-editor.focused');
  const suggestion = (name: string | RegExp) =>
    page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: name }).first();

  it('moves the draft into an editor, completes a command and a file, and sends it', async () => {
    await frame.getByRole('textbox', { name: 'Prompt' }).fill('The total looks too small to me.');
    await frame.getByRole('button', { name: 'Edit Prompt in Editor' }).click();
    await editor().waitFor();
    await page.locator('.view-line', { hasText: 'The total looks too small to me.' }).waitFor();
    await focusedEditor().waitFor();
    assert.equal(await frame.getByRole('textbox', { name: 'Prompt' }).inputValue(), '');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('/per');
    await suggestion('/permission').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' What is wrong in @cart');
    await suggestion('cart').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.codelens-decoration', { hasText: 'Send to' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await frame
      .getByText(/What is wrong in @\S*cart/)
      .first()
      .waitFor();
    await frame.getByRole('button', { name: /Allow once/ }).waitFor();
    await editor().waitFor({ state: 'detached' });
  });

  async function newPrompt(): Promise<void> {
    await runCommand(page, 'ACP Sessions: Run Prompt…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'New Prompt' }).click();
  }

  it('changes its session in the status bar, and goes on being written', async () => {
    await newPrompt();
    await editor().waitFor();
    const inUse = page.locator('.statusbar-item', { hasText: /\/permission|Untitled session/ });
    await inUse.click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'New Session' }).click();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.locator('.statusbar-item', { hasText: 'Untitled session' }).waitFor();
    await focusedEditor().waitFor();
    await page.keyboard.type('Hello');
    await page.locator('.view-line', { hasText: 'Hello' }).waitFor();
  });

  it('underlines a command that the agent does not have, and offers the one that was meant', async () => {
    await newPrompt();
    await focusedEditor().waitFor();
    await page.keyboard.type('/permision now');
    await page.keyboard.press('Escape');
    await page.locator('.squiggly-warning').first().waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    const fix = page.getByText('Change to /permission').first();
    // VS Code offers nothing while the underlines are being renewed.
    while (!(await fix.isVisible())) {
      await page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: 2000 }).catch(() => page.keyboard.press('Escape'));
    }
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '/permission now' }).waitFor();
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  });
}
