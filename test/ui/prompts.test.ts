import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { copySampleProject } from '../../scripts/host/sample.mjs';
import { type Host, startHost } from './harness/host';
import {
  openSessionsView,
  openWindow,
  runCommand,
  screenshot,
  transcriptFrame,
  type Window,
} from './harness/window';

describe('prompts in editors, in a window of VS Code', () => {
  let folder: string;
  let host: Host;
  let window: Window;
  let page: Page;
  let frame: FrameLocator;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-prompts-')));
    const workspace = await copySampleProject(folder);
    host = await startHost({
      workspace,
      settings: { 'workbench.colorTheme': 'Default Dark Modern' },
      env: { ACP_SESSIONS_DEMO_STORE: path.join(folder, 'sessions') },
    });
    window = await openWindow(host, { viewport: { width: 1440, height: 900 } });
    page = window.page;
    page.setDefaultTimeout(30_000);
    await openSessionsView(page);
  });

  after(async () => {
    await window.close();
    await host.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await runCommand(page, 'ACP Sessions: New Session');
    frame = transcriptFrame(page);
    await frame.getByRole('textbox', { name: 'Prompt' }).waitFor();
  });

  afterEach(async function () {
    await screenshot(page, `prompts-${this.currentTest?.title.slice(0, 40) ?? ''}`);
    if ((await editor().count()) > 0) {
      await runCommand(page, 'View: Revert and Close Editor');
    }
    await runCommand(page, 'View: Close All Editors');
    await page.locator('iframe.webview').waitFor({ state: 'detached' });
  });

  const editor = () => page.locator('.editor-instance .monaco-editor');
  const suggestion = (name: string | RegExp) =>
    page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: name }).first();

  it('moves what is written into an editor, completes a command and a file, and sends it', async () => {
    await frame.getByRole('textbox', { name: 'Prompt' }).fill('The total looks too small to me.');
    await frame.getByRole('button', { name: 'Edit Prompt in Editor' }).click();
    await editor().waitFor();
    await page.locator('.view-line', { hasText: 'The total looks too small to me.' }).waitFor();
    assert.equal(await frame.getByRole('textbox', { name: 'Prompt' }).inputValue(), '');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('/per');
    await suggestion('/permission').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' What is wrong in @cart');
    await suggestion('cart').waitFor();
    await screenshot(page, 'prompt-editor');
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

  it('underlines a command that the agent does not have, and offers the one that was meant', async () => {
    await runCommand(page, 'ACP Sessions: New Prompt');
    await editor().waitFor();
    await page.keyboard.type('/permision now');
    await page.keyboard.press('Escape');
    await page.locator('.squiggly-warning').first().waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+.');
    await page.getByText('Change to /permission').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '/permission now' }).waitFor();
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  });
});
