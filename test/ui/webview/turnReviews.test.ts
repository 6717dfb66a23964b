import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Entry } from '../../../src/shared/transcript/entries';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { user } from './harness/entries';
import { entries, review, second, turn } from './harness/scenes/turnReviews';
import { pictures, useTranscripts } from './harness/transcriptPage';

/** The end of a turn, by the number of its files. */
function endOf(page: Page, files: string) {
  return page.getByRole('group', { name: `This turn changed ${files}` });
}

describe('the end of a turn that changed files', () => {
  const open = useTranscripts();

  it('has what can be done at a prompt on the line of its time, also in a narrow tab', async () => {
    const began = Date.UTC(2026, 0, 5, 9, 30);
    const prompt = { ...user('Fix it'), turn: { began, ended: began + 2000 } } as Entry;
    const session = {
      review: review([turn()]),
      branches: { forks: [] },
    };
    for (const width of [320, 560, 1000]) {
      const { page } = await open({
        entries: [prompt, ...entries.slice(1)],
        viewport: { width, height: 700 },
        session,
      });
      const restore = page.getByRole('button', { name: 'Restore to Before This Turn…' }).first();
      await restore.focus();
      await screenshot(page, `prompt-actions-${width}`);
      const foot = page.locator('.prompt-foot').first();
      const heights = await foot.evaluate((element) => [
        element.clientHeight,
        element.querySelector('.turn-time')?.parentElement === element
          ? Math.max(...[...element.children].map((child) => child.getBoundingClientRect().height))
          : 0,
      ]);
      const [all = 0, line = 0] = heights;
      assert.ok(all < line * 1.5, `${width} px: ${all} px instead of a line of ${line} px`);
      assert.equal((await page.getByRole('button', { name: 'Retry' }).count()) > 0, true);
    }
  });

  it('can be read and used in every theme', async () => {
    const turns = [turn({ incomplete: 'tooManyFiles' }), { ...second, state: 'kept' as const }];
    const { page } = await open({ entries, session: { review: review(turns) } });
    await endOf(page, '3 files').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Restore to Before This Turn…' }).first().focus();
    await pictures(page, 'turn-review', ['Light Modern']);
    await pictures(page, 'turn-review');
  });

  it('fits into a narrow tab and at 400 %', async () => {
    for (const viewport of [
      { width: 320, height: 256 },
      { width: 360, height: 700 },
    ]) {
      const turns = [
        turn({ files: 1234, added: 123_456, removed: 65_432, state: 'partly' }),
        second,
      ];
      const { page } = await open({ entries, viewport, session: { review: review(turns) } });
      const end = endOf(page, '1234 files');
      await end.waitFor();
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.scroller, .row, .turn-review')]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.className),
      );
      assert.deepEqual(wide, []);
      await end.getByRole('button', { name: 'Undo' }).click();
      await screenshot(page, `turn-review-${viewport.width}-${viewport.height}`);
    }
  });
});
