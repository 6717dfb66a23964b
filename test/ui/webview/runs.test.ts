import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { pictureTest } from '../harness/screenshot';
import { agent } from './harness/entries';
import { entries, looking, read } from './harness/scenes/runs';
import { pictures, useTranscripts } from './harness/transcriptPage';

const row = (page: Page, index: number): Locator => page.locator(`[data-index="${index}"]`);
const line = (page: Page): Locator => page.getByRole('button', { name: /^Read \d+ files/ });

describe('calls that only look around', () => {
  const open = useTranscripts();

  it('keep the viewport’s text in place, and the end in view, however many there are', async () => {
    const many = Array.from({ length: 700 }, (_, at) =>
      at % 20 === 0 ? agent(`Words ${at}`) : read(`f${at}.ts`),
    );
    const { page, host, errors } = await open({ entries: [...many, agent('The end')] });
    await page.getByText('The end').waitFor();
    await page.getByText('Words 680').waitFor();
    await page.waitForFunction(() => document.querySelector('.placeholder') === null);
    const distance = await page
      .locator('.scroller')
      .evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
    assert.ok(distance <= 2);
    await page.keyboard.press('Control+Home');
    await page.getByText('Words 0', { exact: true }).waitFor();
    await page.getByText('Words 100', { exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector('.placeholder') === null);
    assert.deepEqual(host.refused, []);
    assert.deepEqual(errors, []);
  });

  pictureTest('are kept as pictures', async () => {
    const { page } = await open({
      entries: [...entries, agent('More'), ...looking],
      viewport: { width: 900, height: 600 },
    });
    await line(page).first().click();
    await row(page, 1).getByRole('button', { name: 'src/b.ts' }).click();
    await page.getByText('Text of b.ts').waitFor();
    await pictures(page, 'runs');
    await page.setViewportSize({ width: 360, height: 700 });
    await pictures(page, 'runs-narrow');
  });
});
