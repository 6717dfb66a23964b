import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from '../../support/until';
import { screenshot } from '../harness/screenshot';
import {
  closeAllEditors,
  newSession,
  openSessionsView,
  reloadWindow,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** Reviewing what an agent changed. */
export function describeReview(ui: Readonly<Workbench>): void {
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
    await closeAllEditors(page);
  });

  const at = (name: string): string => path.join(ui.workspace, 'demo-agent', name);

  async function work(kind: string): Promise<void> {
    await ask(`/work ${kind} `);
    await allow();
  }

  async function allow(): Promise<void> {
    await frame.getByRole('button', { name: 'Allow once' }).click();
  }

  async function ask(text: string): Promise<void> {
    const prompt = frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill(text);
    await prompt.press('Enter');
  }

  /** Nothing waits for review afterwards, whatever an earlier test left. */
  async function keepStartFiles(): Promise<void> {
    rmSync(at('.'), { recursive: true, force: true });
    await work('start');
    await end('').getByRole('button', { name: 'Keep', exact: true }).click();
    await frame.getByText('Kept', { exact: true }).waitFor();
  }

  function end(files: string): Locator {
    return frame.getByRole('group', { name: `This turn changed ${files}` });
  }

  it('a turn that reported nothing is listed, opened, and taken back', async () => {
    await keepStartFiles();
    await frame.getByRole('button', { name: 'Review' }).click();
    const decided = page.getByRole('tab', { name: /^Kept: .*, turn 1/ });
    await reviewed().first().waitFor();
    await decided.getByRole('button', { name: /^Close/ }).click();
    const prices = readFileSync(at('prices.txt'), 'utf8');
    await work('command');
    await end('2 files').waitFor();
    await screenshot(page, 'review-turn');
    assert.notEqual(readFileSync(at('prices.txt'), 'utf8'), prices);
    await end('2 files').getByRole('button', { name: 'Review' }).click();
    await reviewed().first().waitFor();
    await screenshot(page, 'review-changes');
    await page
      .getByRole('tab', { name: /^Review:/ })
      .getByRole('button', { name: /^Close/ })
      .click();
    await end('2 files').getByRole('button', { name: 'Undo' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot(page, 'review-undo');
    await dialog.getByRole('button', { name: /Undo All/ }).click();
    await end('2 files').getByText('Undone', { exact: true }).waitFor();
    assert.equal(readFileSync(at('prices.txt'), 'utf8'), prices);
    assert.equal(existsSync(at('report.txt')), false);
  });

  it('the files go back to before a turn, and forward again', async () => {
    await work('again');
    await frame
      .getByRole('group', { name: /This turn changed/ })
      .first()
      .waitFor();
    const first = readFileSync(at('todo.md'), 'utf8');
    await work('again');
    await frame
      .getByRole('group', { name: /This turn changed/ })
      .nth(1)
      .waitFor();
    const second = readFileSync(at('todo.md'), 'utf8');
    assert.notEqual(second, first);
    await frame.getByRole('button', { name: 'Restore to Before This Turn…' }).last().click();
    await button('Restore and Go Back').waitFor();
    await page.getByText('Restore 1 file? Below is what would change.').first().waitFor();
    await reviewed().filter({ hasText: 'To do' }).waitFor();
    await screenshot(page, 'review-restore');
    await button('Restore These Files').click();
    await page.getByText('Restored 1 file.').first().waitFor();
    assert.equal(readFileSync(at('todo.md'), 'utf8'), first);
    await runCommand(page, 'ACP Sessions: Undo Restore');
    await button('Bring These Changes Back').waitFor();
    await screenshot(page, 'review-undo-restore');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The changes of 1 file are back').first().waitFor();
    assert.equal(readFileSync(at('todo.md'), 'utf8'), second);
  });

  it('a preview that asked before the window was reloaded has no buttons, and changes nothing', async () => {
    await work('again');
    await frame
      .getByRole('group', { name: /This turn changed/ })
      .first()
      .waitFor();
    const text = readFileSync(at('todo.md'), 'utf8');
    await frame.getByRole('button', { name: 'Restore to Before This Turn…' }).last().click();
    await button('Restore These Files').waitFor();
    await reloadWindow(page);
    await page
      .getByRole('tab', { name: /^Restore to Before/ })
      .first()
      .waitFor();
    await treeRow(page, /to review/)
      .first()
      .waitFor();
    await screenshot(page, 'review-restore-reloaded');
    assert.equal(await button('Restore These Files').count(), 0);
    await page.keyboard.press('Control+Enter');
    assert.equal(readFileSync(at('todo.md'), 'utf8'), text);
    await openSessionsView(page);
  });

  it('changes are decided one by one: in the file, in Source Control, and all at once', async () => {
    await keepStartFiles();
    await work('direct');
    await end('2 files').waitFor();
    const revisions = (): readonly string[] =>
      readFileSync(at('notes.md'), 'utf8').match(/\(revision \d+\)/g) ?? [];
    const [before] = revisions();
    await end('2 files').getByRole('button', { name: 'Review' }).click();
    await reviewed().first().waitFor();
    await runCommand(page, 'View: Move Editor into Right Group');
    const notes = reviewed().filter({ hasText: 'notes.md' });
    await notes.locator('.view-line', { hasText: '(revision' }).first().click();
    await page.locator('.statusbar-item', { hasText: '1 of 2 changes' }).waitFor();
    await page
      .getByRole('tab', { name: /^Review:/ })
      .getByRole('button', { name: /^Close/ })
      .click();
    await openFile('notes.md');
    const status = page.locator('.statusbar-item', { hasText: /change/ });
    await status.filter({ hasText: '2 changes' }).waitFor();
    await openPeek();
    await screenshot(page, 'review-peek');
    await page.locator('.zone-widget .action-label[aria-label^="Keep"]').click();
    await status.filter({ hasText: '1 change,' }).waitFor();
    await page.keyboard.press('Escape');

    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Source Control/ })
      .click();
    const row = treeRow(page, /^notes\.md, Modified, turn/);
    await row.hover();
    await screenshot(page, 'review-scm');
    await row.getByRole('button', { name: 'Undo Changes in File' }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual([revisions().length, revisions()[0]], [1, before]);

    await page.keyboard.press('Control+Shift+p');
    await page.keyboard.press('Escape');
    await runCommand(page, 'ACP Sessions: Review Changes');
    await page.getByRole('tab', { name: /^Review:/ }).waitFor();
    await page.locator('.editor-actions').getByRole('button', { name: 'Keep All' }).click();
    await page.getByRole('tab', { name: /^Review:/ }).waitFor({ state: 'detached' });
    await treeRow(page, /^ACP Sessions/).waitFor({ state: 'detached' });
    await openSessionsView(page);
  });

  it('the user’s own text among the agent’s stays or goes by buttons above both texts', async () => {
    await keepStartFiles();
    await work('direct');
    await end('2 files').waitFor();
    await openFile('notes.md');
    await page.locator('.monaco-editor .view-line', { hasText: '(revision' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and mine');
    await page.keyboard.press('Control+s');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    const mine = readFileSync(at('notes.md'), 'utf8');
    await runCommand(page, 'ACP Sessions: Undo Changes in File');
    await button('Discard My Edits').waitFor();
    await reviewed().filter({ hasText: 'and mine' }).waitFor();
    await screenshot(page, 'review-mixed');
    await button('Keep My Edits').click();
    await page.getByRole('tab', { name: /^Whose Text/ }).waitFor({ state: 'detached' });
    await page.locator('.statusbar-item', { hasText: /change/ }).waitFor({ state: 'detached' });
    assert.equal(readFileSync(at('notes.md'), 'utf8'), mine);
    assert.match(mine, / and mine$/m);
  });

  it('the agent is followed beside its transcript, until something is done in an editor', async () => {
    await keepStartFiles();
    await runCommand(page, 'ACP Sessions: Follow Agent');
    const status = page.locator('.statusbar-item', { hasText: /^\s*Following/ });
    await status.waitFor();
    // While the agent waits for its answer, it can't be faster than the window.
    await ask('/work direct ');
    const tab = page.getByRole('tab', { name: /^(notes|summary|part-\d+)\.md/ });
    const editor = page.locator('.editor-group-container').nth(1);
    await page.getByRole('tab', { name: /^notes\.md/ }).waitFor();
    const prompt = frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.click();
    await prompt.pressSequentially('mine');
    await allow();
    await prompt.pressSequentially(' still');
    await page.getByRole('tab', { name: /^summary\.md/ }).waitFor();
    await frame.getByText('in two places and wrote').first().waitFor();
    await screenshot(page, 'review-follow');
    assert.equal(await prompt.inputValue(), 'mine still');
    assert.equal(await tab.count(), 1, 'a preview');
    assert.match(await status.innerText(), /Following Demo Agent/);

    await editor.locator('.view-line').nth(2).click();
    await status.filter({ hasText: 'Following stopped' }).waitFor();
    await page.keyboard.type('my own words ');
    await page.locator('.tab.dirty').waitFor();
    const last = at(path.join('parts', 'part-10.md'));
    const before = readFileSync(last, 'utf8');
    await work('many');
    await until(() => readFileSync(last, 'utf8') !== before);
    assert.match((await nameOf(tab)) ?? '', /^summary\.md/);

    await status.click();
    await status.filter({ hasText: 'Following Demo Agent' }).waitFor();
    await page
      .getByRole('tab', { name: /^part-10/ })
      .last()
      .waitFor();
    await screenshot(page, 'review-follow-again');
    assert.equal(await page.locator('.tab.dirty').count(), 1, 'the user’s text is still there');

    // The file has unsaved text, and is shown where it is.
    const groups = page.locator('.editor-group-container');
    const count = await groups.count();
    await groups.last().locator('.view-line').nth(8).click();
    await status.filter({ hasText: 'Following stopped' }).waitFor();
    await page.keyboard.type('more words ');
    await page.getByRole('button', { name: /^Ln [5-9],/ }).waitFor();
    await status.click();
    await page.getByRole('button', { name: /^Ln 3,/ }).waitFor();
    assert.equal(await groups.count(), count);

    await prompt.fill('');
    await status.click();
    await status.waitFor({ state: 'detached' });
    const dirty = page.locator('.tab.dirty');
    for (let left = await dirty.count(); left > 0; left--) {
      await dirty.first().click();
      await runCommand(page, 'File: Revert File');
      await page.waitForFunction(
        (most) => document.querySelectorAll('.tab.dirty').length < most,
        left,
      );
    }
  });

  it('what waits is marked again after the window was reloaded, with nothing of ours open', async () => {
    await work('command');
    await end('2 files').waitFor();
    await closeAllEditors(page);
    await openFile('prices.txt');
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer/ })
      .click();
    await reloadWindow(page);
    await page.locator('.monaco-editor .dirty-diff-glyph').first().waitFor();
    await screenshot(page, 'review-reloaded');
    await openSessionsView(page);
    await treeRow(page, /to review/)
      .first()
      .waitFor();
  });

  /** Finds a button in the title of the active editor. */
  function button(name: string): Locator {
    return page.locator('.editor-group-container.active .editor-actions').getByRole('button', {
      name,
    });
  }

  /** The files of the multi-diff editor; VS Code keeps hidden ones of closed editors for later use. */
  function reviewed(): Locator {
    return page.locator('.multiDiffEntry:visible');
  }

  async function openFile(name: string): Promise<void> {
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget input[type="text"]').fill(name);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).waitFor();
  }

  /** The inline peek of the first change, by a click on its mark. */
  async function openPeek(): Promise<void> {
    const mark = await page.locator('.monaco-editor .dirty-diff-glyph').first().boundingBox();
    assert.ok(mark);
    await page.mouse.click(mark.x + 2, mark.y + mark.height / 2);
    await page
      .locator('.zone-widget')
      .getByText(/of 2 changes/)
      .waitFor();
  }

  async function nameOf(tab: Locator): Promise<string | null> {
    return tab.first().getAttribute('aria-label');
  }
}
