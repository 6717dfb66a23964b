import assert from 'node:assert/strict';
import type { Held, ShownBranches } from '../../../src/shared/transcript/branches';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { agent, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const entries = [
  user('Fix the rounding'),
  agent('Sums are in cents now.'),
  user('Now the tests'),
  agent('They pass.'),
];

const none: ShownBranches = { forks: [] };

function origin(held: Held): ShownBranches {
  return { ...none, origin: { title: 'Fix the cart', turn: 4, held } };
}

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
