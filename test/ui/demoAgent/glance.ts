import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import { newSession, runCommand, treeRow, webviewWith } from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** Of a window in which nothing has gone on yet. */
export function describeGlance(ui: Readonly<Workbench>): void {
  let page: Page;
  let glance: Frame;

  before(async () => {
    page = ui.page;
    assert.equal(await page.locator('.part.auxiliarybar').isVisible(), false);
    assert.equal(await page.locator('.part.panel').isVisible(), false);
    await runCommand(page, 'ACP Sessions: Show Sessions at a Glance');
    glance = await webviewWith(page, '.glance-list');
  });
  afterEach(() => closeEditors());
  after(() => runCommand(page, 'View: Hide Panel'));

  /** Closes all editors; the webview of the view stays. */
  async function closeEditors(): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.tabs-container [role="tab"]').first().waitFor({ state: 'detached' });
  }

  /** Begins a session with this prompt. */
  async function prompted(prompt: string): Promise<void> {
    await newSession(page);
    const frame = await webviewWith(page, '.composer textarea, [role="textbox"]');
    const input = frame.getByRole('textbox', { name: 'Prompt' });
    await input.fill(`${prompt} `);
    await input.press('Enter');
  }

  it('opens by its command alone, in the panel, and says what it is for until something goes on', async () => {
    await glance.getByText('Nothing needs you.', { exact: false }).waitFor();
    assert.equal(await page.locator('.part.panel').isVisible(), true);
  });

  it('shows what a session asks, and answers it there', async () => {
    await prompted('/permission');
    const group = glance.getByRole('region', { name: /^Needs an answer/ });
    await group.getByText('npm run deploy -- --env staging').waitFor();
    await glance.locator('.glance-answers .button[aria-disabled="false"]').first().waitFor();
    await screenshot(page, 'glance-window');
    await group.getByRole('button', { name: 'Allow once' }).click();
    await page.mouse.move(640, 400);
    await group.waitFor({ state: 'detached' });
    const transcript = await webviewWith(page, '.composer');
    await transcript.getByText('You allowed it', { exact: false }).first().waitFor();
  });

  it('shows what runs out of sight, stops it, and leads to what is done', async () => {
    await prompted('/slow 300');
    const running = glance.getByRole('region', { name: /^Running/ });
    await running.getByText('/slow 300').waitFor();
    await closeEditors();
    await running
      .getByText(/Wait \d+ seconds more|seconds/)
      .first()
      .waitFor();
    await running.getByRole('button', { name: 'Stop “/slow 300”' }).click();
    await page.mouse.move(640, 400);
    const done = glance.getByRole('region', { name: /^Done, not read yet/ });
    await done.getByText('Stopped').waitFor();
    await done.getByRole('button', { name: '/slow 300' }).click();
    await webviewWith(page, '.composer');
    await page.mouse.move(640, 400);
    await done.waitFor({ state: 'detached' });
    await treeRow(page, /^\/slow 300/).waitFor();
  });
}
