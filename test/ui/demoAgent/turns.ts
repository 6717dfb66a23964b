import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { readmePicture, screenshot } from '../harness/screenshot';
import {
  closeAllEditors,
  newSession,
  reloadWindow,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { composer, send } from './composing';

/** Presses Escape once in the prompt and twice more outside it. */
export async function stop(frame: FrameLocator): Promise<void> {
  for (const place of [composer(frame), frame.locator(':focus'), frame.locator(':focus')]) {
    await place.press('Escape');
  }
}

/** Starts a turn that lasts this many seconds, and waits until it is running. */
async function startSlowTurn(frame: FrameLocator, seconds: number): Promise<void> {
  await send(frame, `/slow ${seconds}`);
  await frame
    .getByText(/Wait \d+ seconds more/)
    .first()
    .waitFor();
}

/** The visible transcript that has such an element, of two side by side. */
async function frameWith(page: Page, selector: string): Promise<FrameLocator> {
  const webviews = page.locator('iframe.webview:visible');
  const frames = [0, 1].map((n) =>
    webviews.nth(n).contentFrame().frameLocator('iframe#active-frame'),
  );
  return Promise.any(
    frames.map(async (frame) => {
      await frame.locator(selector).first().waitFor();
      return frame;
    }),
  );
}

export function describeTurns(ui: Readonly<Workbench>): void {
  let page: Page;
  let frame: FrameLocator;

  before(() => {
    page = ui.page;
  });

  beforeEach(async () => {
    await newSession(page);
    frame = transcriptFrame(page);
    await composer(frame).waitFor();
  });

  afterEach(async () => {
    await closeAllEditors(page);
  });

  it('NEW-1, PR-6: a new session answers, gets its title and its row in the tree', async () => {
    await send(frame, 'Hello there');
    await frame.getByText('I am the Demo Agent', { exact: false }).first().waitFor();
    await treeRow(page, /^Hello there/).waitFor();
    const said = frame.getByRole('article', { name: 'You' }).filter({ hasText: 'Hello there' });
    assert.equal(await said.count(), 1);
  });

  it('PE-2, PE-3: asks before a command is run, and goes on when that is allowed', async () => {
    await send(frame, '/permission');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('You allowed it').first().waitFor();
  });

  it('FS-3, PE-6: writes a file once that is allowed, and lists the change', async () => {
    await send(frame, '/diff notes.md');
    await frame.locator('.card-choices .button[aria-disabled="false"]').first().waitFor();
    await page.mouse.move(600, 4);
    await readmePicture(page, 'permission');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('The change is made').first().waitFor();
    const file = path.join(ui.workspace, 'notes.md');
    assert.match(readFileSync(file, 'utf8'), /A line from the demo agent/);
    await frame.getByRole('button', { name: /^1 file/ }).waitFor();
  });

  it('PE-3: leaves the file alone when the change is rejected', async () => {
    await send(frame, '/diff rejected.md');
    await frame.getByRole('button', { name: 'Reject', exact: true }).click();
    await frame.getByText('You did not allow the change').first().waitFor();
    assert.equal(existsSync(path.join(ui.workspace, 'rejected.md')), false);
  });

  it('shows an agent at work that writes files by itself and reports only fragments of them', async () => {
    await send(frame, '/work fragments');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('reported only the lines around each edit').first().waitFor();
    const notes = readFileSync(path.join(ui.workspace, 'demo-agent', 'notes.md'), 'utf8');
    assert.match(notes, /^Saturday: 10 to 18 \(revision 1\)$/m);
    await frame.getByRole('button', { name: /^1 file/ }).waitFor();
    await send(frame, '/work wonders');
    await frame.getByText('I know these kinds of work').first().waitFor();
  });

  it('EL-2, EL-6, EL-10: sends a form only when it is right', async () => {
    await send(frame, '/ask');
    const email = frame.getByLabel('E-mail');
    await email.fill('nobody');
    await frame.getByRole('button', { name: 'Submit' }).click();
    await frame.getByText(/valid e-?mail/i).waitFor();
    await email.fill('ada@example.org');
    await frame.getByRole('button', { name: 'Submit' }).click();
    await frame.getByText('Thank you. You entered').first().waitFor();
    await frame.getByText('ada@example.org').first().waitFor();
  });

  it('PE-4, CA-1, CA-2: stopping a turn takes its question back', async () => {
    await send(frame, '/permission');
    await frame.getByRole('button', { name: 'Allow once' }).waitFor();
    await stop(frame);
    await frame.getByText('Stopped').first().waitFor();
    assert.equal(await frame.getByRole('button', { name: 'Allow once' }).count(), 0);
  });

  it('loses no letter that is typed fast over a selection while an answer arrives', async () => {
    await startSlowTurn(frame, 60);
    await composer(frame).fill('something');
    await composer(frame).press('Control+a');
    const words = 'Every one of these letters has been typed, and not one is lost.';
    await page.keyboard.type(words);
    assert.equal(await composer(frame).inputValue(), words);
  });

  it('PR-5: a prompt that is sent during a turn waits in sight, after Stop for the user', async () => {
    await startSlowTurn(frame, 60);
    await send(frame, 'And then this');
    await frame.getByRole('button', { name: /^Remove/ }).waitFor();
    await stop(frame);
    const unsent = frame.getByRole('region', { name: 'Prompts not sent' });
    await unsent.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('I am the Demo Agent', { exact: false }).first().waitFor();
  });

  it('goes on without its tab, which a click on the row brings back', async () => {
    await startSlowTurn(frame, 61);
    await closeAllEditors(page);
    const row = treeRow(page, /\/slow 61.*running/);
    await row.waitFor();
    await screenshot(page, 'turns-without-tab');
    const title = frame.getByRole('heading', { level: 1 });
    // Rows move when the turns of other sessions end, so a click may hit another row.
    do {
      await row.click();
      await title.waitFor();
    } while ((await title.innerText()) !== '/slow 61');
    await frame.getByRole('button', { name: /^Stop/ }).click();
    await frame.getByText('Stopped').first().waitFor();
  });

  it('T-42: goes back to a prompt in a fork beside it, which knows where it comes from, also after a reload', async () => {
    // Short answers, so that both prompts stay in view.
    await send(frame, '/slow 1');
    await frame.getByText('try to cancel me', { exact: false }).first().waitFor();
    await send(frame, '/slow 2');
    await frame.getByText('try to cancel me', { exact: false }).nth(1).waitFor();
    const prompts = frame.getByRole('article', { name: 'You' });
    await frame.getByRole('button', { name: 'Fork from Here' }).nth(1).waitFor();
    await prompts.filter({ hasText: '/slow 2' }).hover();
    await frame.getByRole('button', { name: 'Fork from Here' }).nth(1).click();
    const fork = await frameWith(page, '.header-origin');
    await fork.getByText('Holds the conversation up to there.').waitFor();
    await fork.getByRole('button', { name: 'Forked from “/slow 1”, before turn 2' }).waitFor();
    await composer(fork).waitFor();
    assert.equal(await composer(fork).inputValue(), '/slow 2');
    assert.equal(await fork.getByRole('article', { name: 'You' }).count(), 1);
    const origin = await frameWith(page, '.prompt-forks');
    await origin.getByRole('button', { name: 'Forked as “/slow 1 · from turn 2”' }).waitFor();
    await treeRow(page, /^\/slow 1 · from turn 2, from turn 2/).waitFor();
    await screenshot(page, 'turns-fork');
    await reloadWindow(page);
    const again = await frameWith(page, '.header-origin');
    await again.getByText('Holds the conversation up to there.').waitFor();
    await composer(again).waitFor();
    assert.equal(await composer(again).inputValue(), '/slow 2');
    await composer(again).fill('');
  });

  it('comes back after a reload with its conversation, draft, queue and interrupted turn, and sends nothing by itself', async () => {
    await startSlowTurn(frame, 60);
    await send(frame, 'And then this');
    await frame.getByRole('region', { name: 'Queued prompts' }).waitFor();
    await composer(frame).fill('half a sentence');
    const title = frame.getByRole('heading', { level: 1 });
    const before = await title.innerText();
    await reloadWindow(page);
    await title.filter({ hasText: before }).waitFor();
    await frame.getByRole('article').last().waitFor();
    await frame.getByRole('article', { name: 'You' }).filter({ hasText: '/slow 60' }).waitFor();
    await frame.getByText('Interrupted: the window was reloaded', { exact: false }).waitFor();
    await frame.getByRole('button', { name: 'Send Again' }).waitFor();
    assert.equal(await composer(frame).inputValue(), 'half a sentence');
    const unsent = frame.getByRole('region', { name: 'Prompts not sent' });
    await unsent.getByText('And then this').waitFor();
    await screenshot(page, 'turns-after-reload');
    await unsent.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('I am the Demo Agent', { exact: false }).first().waitFor();
    await composer(frame).fill('');
  });
}
