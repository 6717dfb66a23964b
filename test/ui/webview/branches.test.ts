import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { entries, origin } from './harness/scenes/branches';
import { useTranscripts } from './harness/transcriptPage';

describe('branches of a session, in its transcript', () => {
  const open = useTranscripts();

  it('can be read and used in every theme, and in a narrow tab', async () => {
    const forks = [{ sessionId: 'f1', title: 'Fix the cart · from turn 2', index: 2 }];
    const branches = { ...origin('whole'), forks };
    const viewport = { width: 320, height: 700 };
    const { page } = await open({ entries, viewport, session: { branches } });
    await page.getByRole('button', { name: 'Retry' }).last().focus();
    assert.deepEqual(await violations(page), []);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('.scroller, .row, .header')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.className),
    );
    assert.deepEqual(wide, []);
    await screenshot(page, 'branches-narrow');
  });
});
