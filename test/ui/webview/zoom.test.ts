import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { sample } from './harness/sample';
import { useTranscripts } from './harness/transcriptPage';

describe('a transcript at 400 %', () => {
  const open = useTranscripts();

  it('flows anew: nothing scrolls sideways, and header and composer can be used', async () => {
    // What a window of 1280 by 1024 pixels leaves of the tab.
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
    await page.getByRole('button', { name: 'Fold All' }).click({ trial: true });
    await screenshot(page, 'transcript-400-percent');
  });
});
