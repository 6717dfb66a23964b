import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { copySampleProject } from '../../scripts/host/sample.mjs';
import { projectFolder } from '../../scripts/paths.mjs';
import { type Host, startHost } from './harness/host';
import {
  editorTab,
  openSessionsView,
  openWindow,
  runCommand,
  screenshot,
  transcriptFrame,
  treeRow,
  type Window,
  waitForWorkbench,
} from './harness/window';

const newest = 'Cart total is off by a cent or two with discounts';
const longTitle = 'Move all 150 templates from Handlebars to JSX';

/** What the drawn rows of the tree are called, without their times, which go on. */
async function rowNames(page: Page): Promise<readonly string[]> {
  const rows = page.locator('.sidebar').getByRole('treeitem');
  const spoken = await rows.evaluateAll((items) =>
    items.map((item) => item.getAttribute('aria-label') ?? ''),
  );
  return spoken.map((name) => name.trim().replace(/, [^,]+$/, ''));
}

/** How many rows the tree has drawn. */
function countRows(page: Page): Promise<number> {
  return page.locator('.sidebar').getByRole('treeitem').count();
}

/** Waits until a page of sessions has come to the rows that were there. */
async function waitForMoreRows(page: Page, before: number): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll('.sidebar [role="treeitem"]').length > count + 5,
    before,
  );
}

describe('the sample history in a window of VS Code', () => {
  let folder: string;
  let host: Host;
  let window: Window;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-history-')));
    const workspace = await copySampleProject(folder);
    const store = path.join(folder, 'sessions');
    const demoAgent = path.join(projectFolder, 'dist', 'demoAgent.js');
    execFileSync(process.execPath, [demoAgent, '--seed-sample', store, workspace]);
    const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
    host = await startHost({ workspace, settings, env: { ACP_SESSIONS_DEMO_STORE: store } });
    window = await openWindow(host, { viewport: { width: 1280, height: 1400 } });
    window.page.setDefaultTimeout(30_000);
    await openSessionsView(window.page);
    await treeRow(window.page, newest).waitFor();
  });

  after(async () => {
    await window.close();
    await host.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await screenshot(window.page, `failed-${this.currentTest.title.slice(0, 60)}`);
    }
    await runCommand(window.page, 'View: Close All Editors');
    await window.page.locator('iframe.webview').waitFor({ state: 'detached' });
  });

  it('lists the sessions of the folder, grouped by date, the newest first', async () => {
    const names = await rowNames(window.page);
    assert.equal(names[0], 'Today');
    assert.equal(names[1], newest);
    assert.ok(names.includes('Yesterday') && names.includes('Last 7 days'), names.join('\n'));
    assert.equal(names.at(-1), 'Older sessions');
  });

  it('loads one page when "Older sessions" is clicked, in its place', async () => {
    const { page } = window;
    const before = await rowNames(page);
    await treeRow(page, 'Older sessions').click();
    await waitForMoreRows(page, before.length);
    const after = await rowNames(page);
    // All rows stay, but for the node that was clicked: a new one ends the list.
    assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1));
    assert.equal(after.at(-1), 'Older sessions');
  });

  it('loads one page by keyboard: Right on "Older sessions"', async () => {
    const { page } = window;
    const before = await countRows(page);
    await page.locator('.sidebar').getByRole('tree').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await waitForMoreRows(page, before);
  });

  it('opens a session at its newest entry, once, and brings its tab back after a reload', async () => {
    const { page } = window;
    await treeRow(page, newest).click();
    const transcript = transcriptFrame(page);
    await transcript.getByRole('heading', { name: newest }).waitFor();
    await transcript.getByRole('article').last().waitFor();
    await treeRow(page, newest).click();
    assert.equal(await editorTab(page, new RegExp(newest)).count(), 1);
    assert.deepEqual(window.errors, []);

    const loaded = page.waitForEvent('load');
    await runCommand(page, 'Developer: Reload Window');
    await loaded;
    await waitForWorkbench(page);
    await transcriptFrame(page).getByRole('heading', { name: newest }).waitFor();
    await transcriptFrame(page).getByRole('article').last().waitFor();
  });

  it('opens a file that a tool call names, at its line', async () => {
    const { page } = window;
    await treeRow(page, newest).click();
    const transcript = transcriptFrame(page);
    await transcript.locator('.chip').first().click();
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    await editorTab(page, /\.ts/).waitFor();
  });

  it('opens a diff of a tool call in the diff editor', async () => {
    const { page } = window;
    await treeRow(page, newest).click();
    await transcriptFrame(page).locator('.diff-file').first().click();
    await page.locator('.monaco-diff-editor').first().waitFor();
  });

  it('finds a session of a page that is not loaded yet with "Go to Session…"', async () => {
    const { page } = window;
    await runCommand(page, 'ACP Sessions: Go to Session');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.fill('Handlebars');
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: longTitle });
    await row.first().waitFor();
    await page.keyboard.press('Enter');
    await transcriptFrame(page).getByRole('heading', { name: longTitle }).waitFor();
  });

  it('pins a session, and opens another to the side, from "Go to Session…"', async () => {
    const { page } = window;
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
    const { page } = window;
    await treeRow(page, longTitle).click();
    const transcript = transcriptFrame(page);
    await transcript.getByRole('article').last().click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('template');
    await transcript.locator('.find-count', { hasText: /^\d+ of \d+$/ }).waitFor();
  });

  it('is kept as a picture for the README', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1280, height: 800 });
    await treeRow(page, newest).click();
    await transcriptFrame(page).getByRole('article').last().waitFor();
    await page.mouse.move(800, 790);
    await screenshot(page, 'readme');
    const file = path.join(projectFolder, 'out', 'screenshots', 'readme.png');
    if (process.env['ACP_SESSIONS_KEEP_SCREENSHOT']) {
      await cp(file, path.join(projectFolder, 'docs', 'images', 'transcript.png'));
    }
  });
});
