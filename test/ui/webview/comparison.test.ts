import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FromComparison } from '../../../src/shared/comparison/comparison';
import { violations } from './harness/axe';
import { usePlainPages } from './harness/plainPage';
import { compared } from './harness/scenes/comparison';
import { pictures } from './harness/transcriptPage';

describe('the comparison of sessions, side by side', () => {
  const open = usePlainPages<FromComparison>('comparison', { width: 900, height: 760 });

  /** The texts that don't fit, without those that are meant to be cut. */
  const cut = (page: Page): Promise<readonly string[]> =>
    page
      .locator('.comparison h2, .comparison-branch, dd, .comparison button, thead th')
      .evaluateAll((all) =>
        all.flatMap((one) => (one.scrollWidth > one.clientWidth + 1 ? [one.textContent] : [])),
      );

  const rows = (page: Page): Promise<number> =>
    page
      .locator('.comparison-column')
      .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);

  for (const count of [2, 4] as const) {
    it(`shows ${count} columns, cuts nothing of them, and has nothing that axe objects to`, async () => {
      const { page, errors, post } = await open();
      await post(compared(count));
      const columns = page.locator('.comparison-column');
      await columns.nth(count - 1).waitFor();
      assert.equal(await rows(page), count / 2);
      for (const width of [900, 500, 320]) {
        await page.setViewportSize({ width, height: 760 });
        assert.deepEqual(await cut(page), [], `${width}`);
        await pictures(page, `comparison-${count}-${width}`, ['Dark Modern', 'Light Modern']);
      }
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(errors, []);
    });
  }
});
