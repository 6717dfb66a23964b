import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import {
  closeAllEditors,
  editorTab,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';

const newest = 'Cart total is off by a cent or two with discounts';
const longTitle = 'Move all 150 templates from Handlebars to JSX';

/** The titles of the tree's rendered rows, without their times and states, which change. */
async function rowNames(page: Page): Promise<readonly string[]> {
  const rows = page.locator('.sidebar').getByRole('treeitem');
  const spoken = await rows.evaluateAll((items) =>
    items.map((item) => item.getAttribute('aria-label') ?? ''),
  );
  return spoken.map((name) => name.trim().split(', ')[0] ?? '');
}

/** The number of rows that the tree has rendered. */
function countRows(page: Page): Promise<number> {
  return page.locator('.sidebar').getByRole('treeitem').count();
}

/** Waits until another page of sessions has been added. */
async function waitForMoreRows(page: Page, before: number): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll('.sidebar [role="treeitem"]').length > count + 5,
    before,
  );
}

export function describeReading(ui: Readonly<Workbench>): void {
  before(async () => {
    await treeRow(ui.page, newest).waitFor();
    // Until then, the sample's opener moves the focus.
    await editorTab(ui.page, newest).waitFor();
  });

  afterEach(async () => {
    await closeAllEditors(ui.page);
  });

  it('opens with the newest session in a tab, as `npm start` does', async () => {
    await editorTab(ui.page, newest).waitFor();
    await transcriptFrame(ui.page).getByRole('group', { name: 'Conversation' }).waitFor();
    assert.deepEqual(ui.errors, []);
  });

  it('lists the sessions of the folder, grouped by date, the newest first', async () => {
    const names = await rowNames(ui.page);
    assert.equal(names[0], 'Today');
    assert.equal(names[1], newest);
    assert.ok(names.includes('Yesterday') && names.includes('Last 7 days'), names.join('\n'));
    assert.equal(names.at(-1), 'Older sessions');
  });

  it('names the only agent in the title, whole at the width that VS Code gives a side bar', async () => {
    const title = ui.page.locator('.sidebar .composite.title h2');
    assert.equal(await title.innerText(), 'ACP Sessions: Demo Agent');
    const [needed, has] = await title.evaluate((label) => [label.scrollWidth, label.clientWidth]);
    assert.ok(needed <= has, `${needed} > ${has} pixels`);
  });

  it('loads one page when "Older sessions" is clicked, in its place', async () => {
    const { page } = ui;
    const before = await rowNames(page);
    await treeRow(page, 'Older sessions').click();
    await waitForMoreRows(page, before.length);
    const after = await rowNames(page);
    // All rows stay except for the clicked node: a new one ends the list.
    assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1));
    assert.equal(after.at(-1), 'Older sessions');
  });

  it('loads one page by keyboard: Right on "Older sessions"', async () => {
    const { page } = ui;
    const before = await countRows(page);
    await page.locator('.sidebar').getByRole('tree').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await waitForMoreRows(page, before);
  });

  it('opens a file that a tool call names, at its line', async () => {
    const { page } = ui;
    await treeRow(page, newest).click();
    const transcript = transcriptFrame(page);
    await transcript.getByRole('article').last().waitFor();
    // While the end is in view, the page stays there.
    await transcript.locator('.scroller').focus();
    await page.keyboard.press('Control+Home');
    await transcript.locator('[data-index="0"]:focus').waitFor();
    // Reads are folded into one line, which expands to one chip for each; a chip expands to the
    // call with its files.
    await transcript.locator('.run .tool-head').first().click();
    await transcript.locator('.chip[aria-expanded]').first().click();
    await transcript.locator('.chip:not([aria-expanded])').first().click();
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    await editorTab(page, /\.ts/).waitFor();
    // The transcript was a preview, which the file must not replace.
    assert.equal(await editorTab(page, new RegExp(newest)).count(), 1);
  });

  it('opens a diff of a tool call in the diff editor', async () => {
    const { page } = ui;
    await treeRow(page, newest).click();
    await transcriptFrame(page).locator('.diff-file').first().click();
    await page.locator('.monaco-diff-editor').first().waitFor();
  });

  it('pins a session, and opens another to the side, from "Go to Session…"', async () => {
    const { page } = ui;
    const first = page.locator('.quick-input-list .monaco-list-row').first();
    await runCommand(page, 'ACP Sessions: Go to Session');
    const input = page.locator('.quick-input-widget input[placeholder^="Type a part"]');
    await input.fill('hndlebars jsx');
    const found = first.filter({ hasText: longTitle });
    await found.waitFor();
    await found.hover();
    await found.getByRole('button', { name: 'Pin', exact: true }).click();
    await found.getByRole('button', { name: 'Unpin' }).waitFor();
    await screenshot(page, 'go-to-session');
    await found.getByRole('button', { name: 'Unpin' }).click();
    await found.getByRole('button', { name: 'Pin', exact: true }).waitFor();
    await found.getByRole('button', { name: 'Open to the Side' }).click();
    await editorTab(page, new RegExp(longTitle.slice(0, 20))).waitFor();
  });

  it('finds text in the whole transcript, drawn or not', async () => {
    const { page } = ui;
    await treeRow(page, longTitle).click();
    const transcript = transcriptFrame(page);
    await transcript.getByRole('article').last().click();
    await page.keyboard.press('Control+f');
    await transcript.getByPlaceholder('Find').and(transcript.locator(':focus')).waitFor();
    await page.keyboard.type('template');
    await transcript.locator('.find-count', { hasText: /^\d+ of \d+$/ }).waitFor();
  });

  it('goes on being written to after a look at the command palette', async () => {
    const { page } = ui;
    await treeRow(page, newest).click();
    const prompt = transcriptFrame(page).getByRole('textbox', { name: 'Prompt' });
    await prompt.click();
    await page.keyboard.type('One');
    await page.keyboard.press('F1');
    const palette = page.locator('.quick-input-widget input[type="text"]');
    await palette.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    await prompt.and(transcriptFrame(page).locator(':focus')).waitFor();
    await page.keyboard.type(' two');
    assert.equal(await prompt.inputValue(), 'One two');
    await prompt.fill('');
  });

  it('moves to a separate window together with its draft', async () => {
    const { page } = ui;
    await treeRow(page, longTitle).click();
    const prompt = transcriptFrame(page).getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('A draft');
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('F1');
    const name = 'View: Move Editor into New Window';
    await page.locator('.quick-input-widget input[type="text"]').fill(`>${name}`);
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).click();
    const other = await opened;
    const moved = transcriptFrame(other);
    await moved.getByRole('heading', { name: longTitle }).waitFor();
    await moved.getByRole('article').last().waitFor();
    assert.equal(await moved.getByRole('textbox', { name: 'Prompt' }).inputValue(), 'A draft');
    await page.locator('iframe.webview').first().waitFor({ state: 'detached' });
    await screenshot(other, 'window-of-its-own');
    await moved.getByRole('textbox', { name: 'Prompt' }).fill('');
    await other.close();
  });

  it('shows a session as a text that VS Code itself can search', async () => {
    const { page } = ui;
    await treeRow(page, newest).click();
    await transcriptFrame(page).getByRole('article').last().waitFor();
    await runCommand(page, 'ACP Sessions: Export…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open as Text' }).click();
    await page.locator('.view-line', { hasText: newest }).first().waitFor();
    await page.locator('.view-line', { hasText: newest }).first().click();
    await page.keyboard.press('Control+f');
    await page.locator('.find-widget.visible textarea:focus').first().waitFor();
    await page.keyboard.type('once per rate');
    await page.locator('.find-widget .matchesCount', { hasText: '1 of 1' }).waitFor();
  });

  it('exports a session as Markdown into the folder that the user chooses', async () => {
    const { page, workspace } = ui;
    await treeRow(page, newest).click();
    await transcriptFrame(page).getByRole('article').last().waitFor();
    await runCommand(page, 'ACP Sessions: Export…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Markdown' }).click();
    const dialog = page.locator('.quick-input-widget');
    await dialog.getByText('Export Session as Markdown').waitFor();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const exported = async (): Promise<string> => {
      const name = (await readdir(workspace)).find((each) => /^Cart total.*\.md$/.test(each));
      return name === undefined ? '' : readFile(path.join(workspace, name), 'utf8');
    };
    // The file is there before its text is.
    let text = await exported();
    while (text === '') {
      await page.waitForTimeout(50);
      text = await exported();
    }
    assert.match(text, new RegExp(`^# ${newest}`));
    assert.match(text, /once per rate/);
  });
}
