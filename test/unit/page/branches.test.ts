import assert from 'node:assert/strict';
import { entries, none, origin } from '../../ui/webview/harness/scenes/branches';
import { useTranscripts } from './harness/transcriptPage';

describe('branches of a session, in its transcript', () => {
  const open = useTranscripts();

  it('begin at each prompt, by mouse and keyboard', async () => {
    const { page, host } = await open({ entries, session: { branches: none } });
    await page.getByRole('button', { name: 'Fork from Here' }).nth(1).click();
    await page.getByRole('button', { name: 'Edit and Resend' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Retry' }).first().focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.sent('branch'), [
      { type: 'branch', act: 'fork', index: 2 },
      { type: 'branch', act: 'edit', index: 0 },
      { type: 'branch', act: 'retry', index: 0 },
    ]);
    const contexts = await page
      .locator('.row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-vscode-context') ?? ''));
    assert.deepEqual(
      contexts.flatMap((text, at) => (text.includes('acpSessionsBranchable') ? [at] : [])),
      [0, 2],
    );
  });

  it('are named at their prompt, and lead to where they are', async () => {
    const forks = [
      { sessionId: 'f1', title: 'Fix the cart · from turn 2', index: 2 },
      ...Array.from({ length: 6 }, (_, n) => ({ sessionId: `g${n}`, title: `Try ${n}`, index: 0 })),
    ];
    const { page, host } = await open({ entries, session: { branches: { forks } } });
    await page.getByRole('button', { name: 'Forked as “Fix the cart · from turn 2”' }).click();
    assert.deepEqual(await host.sent('openFork'), [{ type: 'openFork', sessionId: 'f1' }]);
    const first = page.getByRole('article').first();
    assert.equal(await first.getByRole('button', { name: /^Forked as/ }).count(), 5);
    await first.getByText('and 1 more').waitFor();
  });

  it('say above everything where they come from and what they hold of it', async () => {
    const { page, host } = await open({ entries, session: { branches: origin('unknown') } });
    const line = page.locator('.header-origin');
    await line.getByRole('button', { name: 'Forked from “Fix the cart”, before turn 4' }).click();
    assert.deepEqual(await host.sent('openOrigin'), [{ type: 'openOrigin' }]);
    for (const [held, text] of [
      ['before', 'Holds the conversation up to there.'],
      ['turn', 'to the end of that turn'],
      ['whole', 'Holds the whole history'],
      ['less', 'Holds less'],
      ['other', 'What it holds differs'],
      ['text', 'as an attached text'],
    ] as const) {
      host.setSession({ branches: origin(held) });
      await line.getByText(text).waitFor();
    }
  });

  it('are no matter for a session that cannot have them', async () => {
    const { page } = await open({ entries });
    await page.getByText('They pass.').waitFor();
    assert.equal(await page.locator('.prompt-action, .header-origin, .prompt-forks').count(), 0);
  });
});
