import { rmSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import {
  chooseInMenu,
  closeAllEditors,
  newSession,
  openSessionsView,
  reloadWindow,
  runCommand,
  transcriptFrame,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** Commenting on the lines of a change. */
export function describeComments(ui: Readonly<Workbench>): void {
  let page: Page;
  let frame: FrameLocator;

  before(() => {
    page = ui.page;
  });

  beforeEach(async () => {
    rmSync(path.join(ui.workspace, 'demo-agent'), { recursive: true, force: true });
    await newSession(page);
    frame = transcriptFrame(page);
    const prompt = frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('/work again ');
    await prompt.press('Enter');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByRole('group', { name: /This turn changed/ }).waitFor();
    await frame.getByRole('button', { name: 'Review', exact: true }).click();
    await line().waitFor();
  });

  afterEach(async () => {
    await runCommand(page, 'ACP Sessions: Review Changes');
    await page.locator('.editor-actions').getByRole('button', { name: 'Keep All' }).click();
    await page.getByRole('tab', { name: /^Review:/ }).waitFor({ state: 'detached' });
    await closeAllEditors(page);
    await openSessionsView(page);
  });

  it('is done by mouse, with a suggestion, and the comments are there after a reload', async () => {
    await line().click({ button: 'right' });
    await chooseInMenu(page, 'Comment for Agent');
    await field().waitFor();
    await page.keyboard.type('Shorter');
    await button('Suggest Change').click();
    await field().getByText('suggestion').waitFor();
    await button('Save').click();
    await thread().getByText('Not sent yet').waitFor();
    await screenshot(page, 'comment');
    await button('Send Comments').click();
    await frame.getByText('Please address this comment').first().waitFor();
    await page.getByRole('tab', { name: /^Review:/ }).click();
    await thread().getByText('Sent at').waitFor();
    await button('Resolve').click();
    // VS Code folds what is resolved.
    await thread().waitFor({ state: 'hidden' });
    await reloadWindow(page);
    await runCommand(page, 'Comments: Focus on Comments View');
    const rows = page.locator('.panel').getByRole('treeitem');
    await rows.filter({ hasText: 'Shorter' }).waitFor();
    await screenshot(page, 'comments-view');
    await page.keyboard.press('Control+j');
  });

  it('is done by keyboard', async () => {
    await line().click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+Alt+Shift+m');
    await field().waitFor();
    await page.keyboard.type('Why these two?');
    await page.keyboard.press('Control+Enter');
    await thread().getByText('Not sent yet').waitFor();
    await page.keyboard.press('Control+Alt+Shift+Enter');
    await frame.getByText('Why these two?').first().waitFor();
    await page.getByRole('tab', { name: /^Review:/ }).click();
    await thread().getByText('Sent at').waitFor();
  });

  function line(): Locator {
    const entry = page.locator('.multiDiffEntry:visible').first();
    return entry.locator('.editor.modified .view-line').nth(1);
  }

  function thread(): Locator {
    return page.locator('.review-widget:visible').first();
  }

  /** The field that has the focus, without a click. */
  function field(): Locator {
    return thread().locator('.edit-textarea .monaco-editor.focused');
  }

  function button(name: string): Locator {
    return thread().getByRole('button', { name: new RegExp(`^${name}`) });
  }
}
