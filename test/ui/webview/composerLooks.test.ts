import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { SessionState, ToWebview } from '../../../src/shared/transcript/webviewMessages';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { commands, option, options, png, prompt, running } from './harness/composing';
import { sample } from './harness/sample';
import { allThemes, pictures, useTranscripts } from './harness/transcriptPage';

describe('how the composer looks', () => {
  const open = useTranscripts();
  const session: Partial<SessionState> = {
    turn: running,
    commands,
    configOptions: options,
    usage: { used: 157_000, size: 200_000, cost: { amount: 1.27, currency: 'USD' } },
    queue: [
      { id: 1, draft: { text: 'Then run all tests and say what failed', attachments: [] } },
      { id: 2, draft: { text: 'And write the changelog', attachments: [] } },
    ],
  };

  async function attachTwo(page: Page, send: (message: ToWebview) => Promise<void>): Promise<void> {
    await send({
      type: 'attach',
      attachments: [
        { type: 'file', uri: 'file:///project/shop/src/cart.ts', name: 'cart.ts' },
        { type: 'image', name: 'checkout.png', mimeType: 'image/png', data: png },
      ],
    });
    await page.getByRole('button', { name: 'Remove checkout.png' }).waitFor();
  }

  async function inEveryTheme(page: Page, name: string): Promise<void> {
    assert.deepEqual(await violations(page), [], name);
    await pictures(page, name, allThemes);
  }

  it('axe objects to nothing, in any theme', async () => {
    const { page, host } = await open({
      entries: sample.slice(-3),
      session,
      viewport: { width: 900, height: 700 },
    });
    await prompt(page).fill('The total is still wrong:\nsee the picture.');
    await attachTwo(page, (message) => host.send(message));
    await inEveryTheme(page, 'composer');
    await page.getByRole('button', { name: /^Model/ }).click();
    await option(page, /Opus/).waitFor();
    await inEveryTheme(page, 'composer-picker');
    await page.keyboard.press('Escape');
    await prompt(page).fill('');
    await page.keyboard.type('/');
    await option(page, /compact/).waitFor();
    await inEveryTheme(page, 'composer-commands');
  });

  it('has its menus within a narrow tab', async () => {
    const { page, host } = await open({
      entries: sample.slice(-3),
      session: { ...session, turn: { kind: 'running', cancelling: true, canForce: true } },
      viewport: { width: 300, height: 700 },
    });
    await attachTwo(page, (message) => host.send(message));
    await screenshot(page, 'composer-narrow');
    await page.getByRole('button', { name: /^Model/ }).click();
    await option(page, /Opus/).waitFor();
    const popup = await page.locator('.popup').boundingBox();
    assert.ok(popup && popup.x >= 0 && popup.x + popup.width <= 300);
    await screenshot(page, 'composer-picker-narrow');
  });
});
