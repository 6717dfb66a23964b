import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { permission } from './harness/asking';
import { conversation } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const card = (page: Page): Locator => page.locator('.card');
const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

async function whenReady(page: Page, name: string): Promise<Locator> {
  await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
  return button(page, name);
}

describe('permissions', () => {
  const open = useTranscripts();

  it('PE-2, PE-9: the agent is named, and the whole command, its files and input can be read', async () => {
    const command = `npm run release && ${'echo a very long line '.repeat(40)}&& rm -rf dist`;
    const { page, host } = await open({
      entries: [
        permission(1, {
          title: 'Release',
          toolKind: 'execute',
          rawInput: { command, timeout: 5000 },
          locations: [{ path: '/project/shop/package.json', line: 3 }],
        }),
      ],
      session: { waiting: [0] },
    });
    await card(page).getByRole('heading', { name: 'Claude wants to run a command' }).waitFor();
    const shown = card(page).locator('.command pre');
    assert.equal((await shown.textContent())?.trim(), command);
    const { clientWidth: width, scrollWidth: inside } = await shown.evaluate(
      ({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }),
    );
    assert.ok(inside <= width, 'nothing is out of sight at the right');
    await card(page).getByRole('button', { name: 'package.json:3' }).click();
    assert.deepEqual(await host.sent('openLocation'), [
      { type: 'openLocation', index: 0, location: 0 },
    ]);
    await card(page).getByRole('button', { name: 'Input' }).click();
    await card(page).getByText('"timeout": 5000').waitFor();
  });

  it('PE-7: a card is inert when it appears, and again each time it newly appears', async () => {
    const { page, host } = await open({ entries: conversation(30), session: {} });
    await page.getByText('Answer 29').waitFor();
    await page.evaluate(() => {
      const seen: boolean[] = [];
      (globalThis as unknown as { seen: boolean[] }).seen = seen;
      new MutationObserver(() => {
        const first = document.querySelector<HTMLElement>('.card-choices .button');
        const isInert = first?.ariaDisabled === 'true';
        if (first && isInert !== seen.at(-1)) {
          seen.push(isInert);
          if (isInert) {
            first.click();
            first
              .closest('.row')
              ?.dispatchEvent(new KeyboardEvent('keydown', { key: '2', bubbles: true }));
          }
        }
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    const seen = (): Promise<boolean[]> =>
      page.evaluate(() => (globalThis as unknown as { seen: boolean[] }).seen);
    host.append(permission(1));
    host.setSession({ waiting: [30] });
    await whenReady(page, 'Allow');
    assert.deepEqual(await seen(), [true, false]);
    // Just out of view, where the row still exists, and back.
    await page.locator('.scroller').evaluate((scroller) => scroller.scrollBy(0, -250));
    await page.locator('.card-choices [aria-disabled=true]').first().waitFor({ state: 'attached' });
    await page.locator('.scroller').evaluate((scroller) => scroller.scrollBy(0, 2000));
    await whenReady(page, 'Allow');
    assert.deepEqual(await seen(), [true, false, true, false]);
    assert.deepEqual(await host.sent('answerPermission'), []);
    const focused = await page.evaluate(() => document.activeElement?.className ?? '');
    assert.ok(!focused.includes('button'), 'the focus is never put on an answer');
  });
});
