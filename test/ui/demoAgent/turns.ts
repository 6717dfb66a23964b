import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import {
  closeAllEditors,
  newSession,
  reloadWindow,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { composer, send } from './composing';

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

  it('FS-3, PE-6: writes a file once that is allowed, and lists the change', async () => {
    await frame.getByText('Tell Demo Agent below what to do', { exact: false }).waitFor();
    await screenshot(page, 'new-session');
    await send(frame, '/diff notes.md');
    await frame.locator('.card-choices .button[aria-disabled="false"]').first().waitFor();
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('The change is made').first().waitFor();
    const file = path.join(ui.workspace, 'notes.md');
    assert.match(readFileSync(file, 'utf8'), /A line from the demo agent/);
    await frame.getByRole('button', { name: /^1 file/ }).waitFor();
  });

  it('loses no letter that is typed fast over a selection while an answer arrives', async () => {
    await startSlowTurn(frame, 60);
    await composer(frame).fill('something');
    await composer(frame).press('Control+a');
    const words = 'Every one of these letters has been typed, and not one is lost.';
    await page.keyboard.type(words);
    assert.equal(await composer(frame).inputValue(), words);
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
    const told = await frameWith(page, '.prompt-forks');
    await told
      .getByRole('article', { name: /^(?!You).*, \d+:\d\d/ })
      .first()
      .waitFor();
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
