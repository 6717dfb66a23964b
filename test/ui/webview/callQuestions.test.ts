import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pictureTest } from '../harness/screenshot';
import { permission } from './harness/asking';
import { toolCall, user } from './harness/entries';
import { asked, chosen, edit, run } from './harness/scenes/callQuestions';
import { pictures, useTranscripts } from './harness/transcriptPage';

async function whenReady(page: Page): Promise<void> {
  await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
}

describe('a question about a tool call', () => {
  const open = useTranscripts();

  pictureTest('is kept as pictures', async () => {
    const { page } = await open({
      entries: [
        user('Fix the cart'),
        toolCall({ ...edit, toolCallId: 'e0', status: 'completed' }),
        asked(1, 1, edit, { state: chosen }),
        toolCall({ ...run, toolCallId: 'r0', status: 'rejected' }),
        asked(2, 3, run, { state: { kind: 'selected', optionId: 'no', by: 'rule' } }),
        toolCall(edit),
        asked(3, 5, edit),
        toolCall(run),
        asked(4, 7, run),
      ],
      session: { waiting: [6, 8] },
      viewport: { width: 900, height: 900 },
    });
    await whenReady(page);
    await pictures(page, 'call-questions');
    await page.setViewportSize({ width: 360, height: 1100 });
    await pictures(page, 'call-questions-narrow');
  });

  it('V2-PERM-1, V2-PERM-3: the agent’s own question comes first, as plain text, then the command and its folder', async () => {
    const { page } = await open({
      entries: [
        permission(
          1,
          {
            title: 'Tool call',
            toolKind: 'execute',
            rawInput: { command: 'npm publish', cwd: '/project/shop/packages/cart' },
          },
          { title: 'Publish *the cart*?', description: '<b>It can’t be taken back.</b>\nReally.' },
        ),
        permission(2, { title: 'Same' }, { title: 'Same' }),
      ],
      session: { waiting: [0, 1] },
    });
    await page.locator('.card').first().waitFor();
    await page
      .locator('.card')
      .getByRole('heading', { name: 'Claude wants to run a command' })
      .first()
      .waitFor();
    assert.deepEqual(
      await page.locator('.card').first().locator('.card-call > *').allInnerTexts(),
      [
        'Publish *the cart*?',
        '<b>It can’t be taken back.</b>\nReally.',
        'Tool call',
        'npm publish',
        'It runs in /project/shop/packages/cart.',
        'Input',
      ],
    );
    await page.getByRole('article', { name: /^Permission, Publish \*the cart\*\?/ }).waitFor();
    assert.equal(await page.locator('.card').last().getByText('Same').count(), 1);
  });
});
