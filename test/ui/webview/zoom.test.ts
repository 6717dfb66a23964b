import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ToolCallEntry } from '../../../src/shared/transcript/entries';
import type { SessionState } from '../../../src/shared/transcript/webviewMessages';
import { screenshot } from '../harness/screenshot';
import { permission } from './harness/asking';
import { violations } from './harness/axe';
import { option, options, prompt, running, until } from './harness/composing';
import { conversation, toolCall } from './harness/entries';
import { sample } from './harness/sample';
import { useTranscripts } from './harness/transcriptPage';

/** Everything that can surround a conversation at once. */
const busy: Partial<SessionState> = {
  turn: running,
  configOptions: options,
  usage: { used: 157_000, size: 200_000, cost: { amount: 1.27, currency: 'USD' } },
  queue: [1, 2, 3, 4, 5].map((id) => ({ id, draft: { text: `Prompt ${id}`, attachments: [] } })),
};

const lines = (text: string): string =>
  Array.from({ length: 60 }, (_, at) => `${text} ${at}`).join('\n');
const longChange = {
  toolCallId: 'long-1',
  title: 'Change the cart',
  toolKind: 'edit',
  status: 'pending',
  content: [
    { type: 'diff', path: '/project/shop/src/cart.ts', oldText: null, newText: lines('let sum') },
  ],
} as const satisfies Partial<ToolCallEntry>;
const longCommand = {
  ...longChange,
  toolKind: 'execute',
  content: [],
  rawInput: { command: lines('echo') },
} as const satisfies Partial<ToolCallEntry>;

/** The conversation's share of the tab's height. */
function share(page: Page): Promise<number> {
  return page.evaluate(() => (document.querySelector('.list')?.clientHeight ?? 0) / innerHeight);
}

describe('a transcript at 400 %', () => {
  const open = useTranscripts();

  it('flows anew: nothing scrolls sideways, and header and composer can be used', async () => {
    // The size that a window of 1280 by 1024 pixels leaves for the tab.
    const { page } = await open({
      entries: sample,
      viewport: { width: 320, height: 256 },
      deviceScaleFactor: 4,
    });
    await page.getByText('All 7 tests pass').waitFor();
    const wide = await page.evaluate(() =>
      [document.documentElement, document.body, ...document.querySelectorAll('.scroller, .row')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.className),
    );
    assert.deepEqual(wide, []);
    const list = await page.locator('.scroller').boundingBox();
    assert.ok(list && list.height >= 80, String(list?.height));
    const input = page.locator('.prompt-input');
    await input.click();
    await page.keyboard.type('Still usable');
    await page.getByRole('button', { name: 'Send (Enter)' }).click({ trial: true });
    await page.getByRole('button', { name: 'Collapse All' }).click({ trial: true });
    await screenshot(page, 'transcript-400-percent');
  });
});

describe('a transcript in a low tab', () => {
  const open = useTranscripts();

  for (const [width, height] of [
    [360, 225],
    [1280, 300],
    [600, 399],
    [480, 450],
    [900, 700],
  ] as const) {
    it(`leaves half of ${width} × ${height} to the conversation, whatever is around it`, async () => {
      const { page, host } = await open({
        entries: sample,
        session: busy,
        viewport: { width, height },
      });
      await prompt(page).fill('A long prompt\n'.repeat(30));
      await host.send({
        type: 'attach',
        attachments: Array.from({ length: 12 }, (_, at) => ({
          type: 'file' as const,
          uri: `file:///project/shop/src/file${at}.ts`,
          name: `file${at}.ts`,
        })),
      });
      await page.getByRole('button', { name: 'Remove file11.ts' }).waitFor();
      assert.ok((await share(page)) >= 0.5, String(await share(page)));
      for (const severity of ['warning', 'error']) {
        const notice = {
          type: 'notice',
          title: 'The model is busy',
          description: 'Wait.',
        } as const;
        await host.send({ ...notice, severity });
      }
      await page.locator('.banner').nth(1).waitFor({ state: 'attached' });
      assert.ok((await share(page)) >= 0.5, String(await share(page)));
      await page.getByRole('button', { name: /^Add to Queue/ }).click({ trial: true });
      const box = await page.locator('.composer-box').boundingBox();
      assert.ok(box && box.y + box.height <= height);
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${box.x}, ${box.width}`);
      await screenshot(page, `transcript-low-${width}-${height}`);
    });
  }

  it('has a whole field below a list that is opened in a narrow tab', async () => {
    const listed = Array.from({ length: 8 }, (_, at) => ({
      ...{ id: `${at}`, kind: 'terminal' as const, title: `npm run watch ${at}` },
      output: 'built\n'.repeat(3),
    }));
    const { page } = await open({
      session: {
        tasks: { count: 8, listed },
        suggestedPrompts: ['Run the tests', 'Commit'],
        configOptions: options,
      },
      viewport: { width: 360, height: 640 },
    });
    await page.getByRole('button', { name: '8 tasks are still running' }).click();
    await page.getByText('npm run watch 7').waitFor();
    const box = await page.locator('.composer-box').boundingBox();
    const send = await page.getByRole('button', { name: /^Send/ }).boundingBox();
    assert.ok(
      box && send && send.y + send.height <= box.y + box.height,
      JSON.stringify([box, send]),
    );
  });

  for (const [what, entries] of Object.entries({
    change: [permission(1, longChange)],
    command: [permission(1, longCommand)],
    'change in its call': [toolCall(longChange), permission(1, longChange, { call: 30 })],
  })) {
    it(`PE-2: opens at the title of a request that waits, however long: a long ${what}`, async () => {
      const { page } = await open({
        entries: [...conversation(30), ...entries],
        session: { turn: running, waiting: [29 + entries.length] },
        viewport: { width: 360, height: 225 },
      });
      await page
        .getByRole('button', { name: /^Allow/ })
        .first()
        .waitFor({ state: 'attached' });
      await page.waitForFunction(() => {
        const list = document.querySelector('.scroller')?.getBoundingClientRect();
        const title = document.querySelector('.card h3')?.getBoundingClientRect();
        return list && title && title.top >= list.top && title.bottom <= list.bottom;
      });
      assert.ok((await share(page)) >= 0.5, String(await share(page)));
      await screenshot(page, `transcript-low-long-${what.replaceAll(' ', '-')}`);
    });
  }

  it('has the options in a menu, by keyboard and mouse, and one line to write in', async () => {
    const { page, host } = await open({
      entries: sample,
      session: busy,
      viewport: { width: 360, height: 225 },
    });
    await prompt(page).fill('one\ntwo\nthree');
    assert.ok(((await prompt(page).boundingBox())?.height ?? 99) < 32);
    const menu = page.getByRole('button', { name: 'Prompt options' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Mode: Ask' }).waitFor();
    await screenshot(page, 'options-menu');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await option(page, /Haiku/).click();
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.equal((await host.sent('setConfigOption'))[0]?.value, 'haiku');
    await page.keyboard.press('Enter');
    await option(page, /Haiku/).waitFor();
    await screenshot(page, 'options-menu-choices');
    await page.keyboard.press('Escape');
    await option(page, /Haiku/).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await menu.evaluate((element) => element === document.activeElement), true);
    await menu.click();
    await page.getByRole('button', { name: 'Add Files…' }).click();
    await until(() => host.intentsOf('pickFiles').length === 1, page);
    await menu.click();
    await prompt(page).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await host.sent('cancelTurn'), []);
  });

  it('shows the usage with the cost to the keyboard, too, and after the turn', async () => {
    const { page } = await open({
      entries: sample,
      session: { ...busy, turn: { kind: 'idle' } },
      viewport: { width: 360, height: 225 },
    });
    await page.getByRole('button', { name: 'Usage' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Cost so far: 1.27 USD').waitFor();
    await page.getByText('79% of context used: 157K of 200K tokens').waitFor();
    await screenshot(page, 'usage');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Usage' }).and(page.locator(':focus')).waitFor();
  });
});
