import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { fakeAgent, type Step, update } from '../../fakeAgent/scenario';
import { screenshot } from '../harness/screenshot';
import {
  closeAllEditors,
  editorTab,
  reloadWindow,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

const titles = ['First', 'Second', 'Third', 'Fourth', 'Fifth'] as const;

/** The time when a session was last used; the list starts with the newest. */
const day = (date: number): string => `2026-03-0${date}T12:00:00Z`;

/** The last two sessions keep swapping places, which makes VS Code render all rows anew. */
function restless(ids: readonly string[]): readonly Step[] {
  const [fourth, fifth] = ids.slice(-2);
  const dated = (sessionId: string | undefined, date: number): Step => ({
    update: { sessionUpdate: 'session_info_update', updatedAt: day(date) },
    sessionId: sessionId ?? '',
  });
  const swap = [dated(fifth, 3), dated(fourth, 1), { waitMs: 100 }];
  const back = [dated(fifth, 1), dated(fourth, 2), { waitMs: 100 }];
  return [{ repeat: [...swap, ...back], times: 100 }];
}

/** Transcripts as editors. */
export function describeEditors(ui: Readonly<Workbench>): void {
  useAgents(ui, ({ folder, workspace }) => {
    const sessions = titles.map((title, index) => ({
      ...{ sessionId: title.toLowerCase(), cwd: workspace, title: `${title} session` },
      updatedAt: day(titles.length - index),
    }));
    const ids = sessions.map(({ sessionId }) => sessionId);
    const replays = Object.fromEntries(
      titles.map((title): [string, readonly Step[]] => [
        title.toLowerCase(),
        [{ update: update.agent(`The ${title} words.`) }, { result: {} }],
      ]),
    );
    const watch = [{ file: path.join(folder, 'restless'), steps: restless(ids) }];
    return { editors: { title: 'Fake', ...fakeAgent({ sessions, replays, watch }) } };
  });

  const row = (title: string): Locator => treeRow(ui.page, new RegExp(`^${title} session`));
  const tab = (title: string): Locator => editorTab(ui.page, new RegExp(`^${title} session`));
  const preview = (title: string): Locator =>
    tab(title).filter({ has: ui.page.locator('.monaco-icon-label.italic') });

  /** Waits for these words; for a moment, the transcript that goes may be visible beside the one that comes. */
  async function said(page: Page, title: string): Promise<void> {
    const transcript = page.locator('iframe.webview:visible').first().contentFrame();
    await transcript.frameLocator('#active-frame').getByText(`The ${title} words.`).waitFor();
  }

  before(() => row('First').waitFor());
  afterEach(() => closeAllEditors(ui.page));

  it('opens with one click as a preview, which the next click replaces', async () => {
    const { page } = ui;
    await row('First').click();
    await preview('First').waitFor();
    await said(page, 'First');
    await screenshot(page, 'preview-tab');
    await row('Second').click();
    await preview('Second').waitFor();
    await said(page, 'Second');
    assert.equal(await tab('First').count(), 0);
  });

  it('stays open after a double click, and after a word was written in it', async () => {
    const { page } = ui;
    await row('First').dblclick();
    await said(page, 'First');
    await row('Second').click();
    await said(page, 'Second');
    await transcriptFrame(page).getByRole('textbox', { name: 'Prompt' }).fill('A draft');
    await preview('Second').waitFor({ state: 'detached' });
    await row('Third').click();
    await preview('Third').waitFor();
    assert.deepEqual([await tab('First').count(), await tab('Second').count()], [1, 1]);
  });

  it('opens to the side with Alt', async () => {
    const { page } = ui;
    await row('First').dblclick();
    await said(page, 'First');
    await row('Second').click({ modifiers: ['Alt'] });
    const groups = page.locator('.editor-group-container');
    await groups
      .nth(1)
      .getByRole('tab', { name: /^Second session/ })
      .waitFor();
    assert.equal(
      await groups
        .nth(0)
        .getByRole('tab', { name: /^First session/ })
        .count(),
      1,
    );
  });

  it('loses no click while all rows are drawn anew', async () => {
    await writeFile(path.join(ui.folder, 'restless'), '');
    for (let round = 0; round < 5; round++) {
      for (const title of ['First', 'Second', 'Third']) {
        await row(title).click();
        await tab(title).waitFor();
      }
    }
  });

  it('is found by its title in quick open, comes back once closed, and is shown as a text', async () => {
    const { page } = ui;
    await row('First').dblclick();
    await said(page, 'First');
    await row('Second').dblclick();
    await said(page, 'Second');
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.fill('First session');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'First session' }).first().waitFor();
    await page.keyboard.press('Enter');
    await said(page, 'First');
    await editorTab(page, /First session/).click({ button: 'middle' });
    await said(page, 'Second');
    await runCommand(page, 'View: Reopen Closed Editor');
    await said(page, 'First');
    await runCommand(page, 'View: Reopen Editor With...');
    await rows.filter({ hasText: 'Text Editor' }).first().click();
    await page.locator('.view-line', { hasText: 'First words.' }).waitFor();
    await screenshot(page, 'reopened-as-text');
  });

  it('comes back as a text when the window is reloaded', async () => {
    const { page } = ui;
    const text = page.locator('.view-line', { hasText: 'First words.' });
    await row('First').dblclick();
    await said(page, 'First');
    await runCommand(page, 'ACP Sessions: Export…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open as Text' }).click();
    await text.waitFor();
    await reloadWindow(page);
    await text.waitFor();
  });
}
