import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { agent, conversation, user } from './harness/entries';
import { openFind } from './harness/keybindings';
import { useTranscripts } from './harness/transcriptPage';

/** Opens the find widget and types. */
async function find(page: Page, text: string): Promise<void> {
  await openFind(page);
  await page.keyboard.type(text);
}

function count(page: Page, text: string): Locator {
  return page.locator('.find-count', { hasText: text });
}

/**
 * Waits until the current match is this text and in view, and this many other matches are marked.
 */
async function current(page: Page, text: string, others: number): Promise<void> {
  await page.waitForFunction(
    ([wanted, marked]) => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      if (!(range instanceof Range) || range.toString() !== wanted) {
        return false;
      }
      const { top, bottom } = range.getBoundingClientRect();
      return (
        top >= 0 &&
        bottom <= innerHeight &&
        CSS.highlights.get('find-match')?.size === Number(marked)
      );
    },
    [text, String(others)],
  );
}

describe('finding in a transcript', () => {
  const open = useTranscripts();

  it('goes match by match within one long entry', async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `Line ${line}: needle${line}.`);
    const { page } = await open({ entries: [...conversation(20), agent(lines.join('\n\n'))] });
    await page.getByText('needle299').waitFor();
    await find(page, 'needle');
    await count(page, '1 of 300').waitFor();
    await page.keyboard.press('Shift+Enter');
    await count(page, '300 of 300').waitFor();
    await current(page, 'needle', 299);
    await page.getByText('needle299').isVisible();
    await page.keyboard.press('F3');
    await page.keyboard.press('Enter');
    await count(page, '2 of 300').waitFor();
    await page.waitForFunction(() => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      const { top } = range instanceof Range ? range.getBoundingClientRect() : { top: -1 };
      const text = range instanceof Range ? range.startContainer.textContent : '';
      return text?.includes('needle1.') && top > 0 && top < innerHeight;
    });
  });

  it('offers no way to the newest entry while that is on screen', async () => {
    const { page, host } = await open({ entries: [user('A needle'), agent('Hay')] });
    await page.getByText('Hay').waitFor();
    await find(page, 'needle');
    await count(page, '1 of 1').waitFor();
    const jump = page.getByRole('button', { name: /Jump to latest/ });
    assert.equal(await jump.count(), 0);
    host.append(...conversation(60));
    await jump.waitFor();
    assert.ok(await page.getByText('A needle').isVisible(), 'it stays where it is');
  });

  it('counts matches that are added while it is open, and stays at the current one', async () => {
    const { page, host } = await open({ entries: [agent('A needle'), ...conversation(40)] });
    await page.getByText('Answer 39').waitFor();
    await page.keyboard.press('Home');
    await page.getByText('A needle').waitFor();
    await find(page, 'needle');
    await count(page, '1 of 1').waitFor();
    await current(page, 'needle', 0);
    host.append(agent('Another needle, and a needle'));
    await count(page, '1 of 3').waitFor();
    await current(page, 'needle', 0);
    host.replace(41, agent('Another'));
    await count(page, '1 of 1').waitFor();
  });

  it('searches for the selection, and for the same text when opened again', async () => {
    const { page } = await open({ entries: [agent('Take the teapot and the tea')] });
    await page.getByText('Take the teapot').dblclick({ position: { x: 60, y: 8 } });
    const selected = await page.evaluate(() => document.getSelection()?.toString().trim() ?? '');
    await openFind(page);
    const input = page.getByRole('textbox', { name: /Find/ });
    await input.waitFor();
    assert.equal((await input.inputValue()).trim(), selected);
    await input.fill('teapot');
    await count(page, '1 of 1').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(400, 500);
    await openFind(page);
    assert.equal(await input.inputValue(), 'teapot');
    await count(page, '1 of 1').waitFor();
  });
});
