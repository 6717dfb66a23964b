import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { composer, send } from '../demoAgent/composing';
import { stop } from '../demoAgent/turns';
import { screenshot } from '../harness/screenshot';
import { closeAllEditors, newSession, runCommand, transcriptFrame } from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { prices } from './scriptedAgent';

/** What agents of version 1 let the window do, and do by themselves. */
export function describeScriptedTurns(ui: Readonly<Workbench>): void {
  let page: Page;
  let frame: FrameLocator;

  beforeEach(async () => {
    page = ui.page;
    await newSession(page);
    frame = transcriptFrame(page);
    await composer(frame).waitFor();
  });

  afterEach(() => closeAllEditors(page));

  it('TE-4, TE-7, TE-9: shows a command’s output while it runs and afterward', async () => {
    await send(frame, '/terminal');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('All of them passed.').first().waitFor();
    await frame.getByRole('button', { name: /Open in Terminal/ }).waitFor();
  });

  it('FS-3, TE-2, PE-9: asks about a change and a command that the agent did not ask for', async () => {
    await send(frame, '/unasked');
    const file = path.join(ui.workspace, 'unasked.md');
    await frame
      .getByRole('heading', { name: /wants to write a file it didn’t ask permission for/ })
      .waitFor();
    await frame.locator('.card-subject').getByText(file).waitFor();
    await frame.locator('.card .diff-line-added', { hasText: '# Written' }).waitFor();
    assert.equal(existsSync(file), false);
    await frame.getByRole('button', { name: 'Allow for This Session' }).click();
    await frame
      .getByRole('heading', { name: /wants to run a command it didn’t ask permission for/ })
      .waitFor();
    assert.ok(existsSync(file));
    await frame.getByText(`It runs in ${ui.workspace}.`).waitFor();
    await frame.getByRole('button', { name: 'Reject', exact: true }).click();
    await frame
      .getByText(/The change: \{\}.*The command: \{"error"/)
      .first()
      .waitFor();
    await runCommand(page, 'ACP Sessions: Ask Again Before Changes and Commands');
    await send(frame, '/unasked');
    await frame
      .getByRole('heading', { name: /wants to write a file it didn’t ask permission for/ })
      .waitFor();
    await stop(frame);
    await frame.getByText('Stopped').first().waitFor();
  });

  it('what the agent changes in a turn that it begins by itself is listed there, and taken back', async () => {
    const file = path.join(ui.workspace, 'prices.txt');
    await send(frame, '/later');
    const allow = frame.getByRole('button', { name: 'Allow once', disabled: false });
    await allow.waitFor();
    await allow.press('Enter');
    await frame
      .getByText(/I reported neither/)
      .first()
      .waitFor();
    assert.notEqual(readFileSync(file, 'utf8'), prices);
    await frame.getByRole('button', { name: /^Stop/ }).click();
    const end = frame.getByRole('group', { name: 'A turn that the agent began changed 2 files' });
    await end.waitFor();
    await frame.getByText('The agent began this turn by itself.').first().waitFor();
    await screenshot(page, 'review-unprompted');
    await end.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('tab', { name: /^Review: .*a turn that the agent began/ }).waitFor();
    await page.locator('.multiDiffEntry:visible').first().waitFor();
    await page
      .getByRole('tab', { name: /^Review:/ })
      .getByRole('button', { name: /^Close/ })
      .click();
    await end.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('the turn that the agent began').waitFor();
    await dialog.getByRole('button', { name: /Undo All/ }).click();
    await end.getByText('Undone', { exact: true }).waitFor();
    assert.equal(readFileSync(file, 'utf8'), prices);
  });
}
