import assert from 'node:assert/strict';
import { permission } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { agent, toolCall, user } from '../../ui/webview/harness/entries';
import { asked, chosen, edit, run } from '../../ui/webview/harness/scenes/callQuestions';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

const row = (page: Page, index: number): Locator => page.locator(`[data-index="${index}"]`);

async function whenReady(page: Page): Promise<void> {
  await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
}

describe('a question about a tool call', () => {
  const open = useTranscripts();

  it('PE-2, PE-9: is drawn with the call: its title, change and input once, and one line after the answer', async () => {
    const { page, host } = await open({
      entries: [user('Fix it'), toolCall(edit), asked(7, 1, edit)],
      session: { waiting: [2] },
    });
    await whenReady(page);
    const call = row(page, 1);
    await call.getByRole('heading', { name: 'Claude wants to change files' }).waitFor();
    await call.getByRole('region', { name: 'Edit src/cart.ts' }).waitFor();
    assert.equal(
      await call.getAttribute('aria-label'),
      'Permission, Edit src/cart.ts, waiting for your answer',
    );
    assert.equal(await page.getByText('Edit src/cart.ts', { exact: true }).count(), 1);
    assert.equal(await page.locator('.diff').count(), 1, 'the change once');
    await call.locator('.diff-line-added', { hasText: 'taxRate' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Input' }).count(), 1);
    assert.equal(await page.getByText('"old_string"').count(), 0, 'the input is folded');
    assert.equal(await row(page, 2).count(), 0, 'no row of its own');
    host.replace(1, toolCall({ ...edit, status: 'in_progress' }));
    await call.locator('.tool-status').getByText('Waiting for your answer').waitFor();
    assert.equal(await page.getByText('Running').count(), 0);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await until(() => host.intentsOf('answerPermission').length === 1, page);
    assert.equal((await host.sent('answerPermission'))[0]?.requestId, 7);

    host.replace(2, asked(7, 1, edit, { state: chosen }));
    host.setSession({ waiting: [] });
    host.replace(1, toolCall({ ...edit, status: 'completed' }));
    await call.getByText('Allowed once by you').waitFor();
    assert.equal(await page.locator('.card').count(), 0);
    assert.equal(await page.getByText('Edit src/cart.ts', { exact: true }).count(), 1);
    assert.equal(await page.locator('.diff').count(), 1, 'the change once');
    assert.equal(await row(page, 2).count(), 0);
    await call.getByRole('button', { name: 'Allowed once by you' }).click();
    await call.getByText('Answer: Allow', { exact: true }).waitFor();
  });

  it('PE-9, SEC-4: shows the title, the command and the change as they were asked about, whatever the call says now', async () => {
    const title = '[Safe](https://evil.example) `x` \u202eexe.fdp';
    const { page, host } = await open({
      entries: [
        toolCall({ ...edit, title: 'Harmless' }),
        asked(1, 0, { ...edit, title }),
        toolCall({ ...run, title: 'Harmless, too' }),
        asked(2, 2, run),
      ],
      session: { waiting: [1, 3] },
    });
    await whenReady(page);
    assert.equal(
      await row(page, 0).locator('.tool-title').textContent(),
      '[Safe](https://evil.example) `x` ⟨U+202E⟩exe.fdp',
    );
    host.replace(1, asked(1, 0, { ...edit, title }, { state: chosen }));
    host.setSession({ waiting: [3] });
    await row(page, 2).locator('.card-choices').waitFor();
    assert.equal(
      await row(page, 2).locator('.tool-title').textContent(),
      'npm test -- --grep cart',
      'a command stands once',
    );
    assert.equal(await page.locator('.command').count(), 0);
  });

  it('PE-8: is answered by digits in its row, one after the other', async () => {
    const calls = [1, 2, 3].map((id) => toolCall({ ...run, toolCallId: `run-${id}` }));
    const { page, host } = await open({
      entries: [user('Go'), ...calls, asked(1, 1, run), asked(2, 2, run)],
      session: { waiting: [4, 5] },
    });
    await whenReady(page);
    await row(page, 2).getByText('Answer the earlier request first.').waitFor();
    await page.locator('[data-index="1"]').focus();
    await whenReady(page);
    await page.keyboard.press('1');
    await until(() => host.intentsOf('answerPermission').length === 1, page);
    host.replace(4, asked(1, 1, run, { state: chosen }));
    host.setSession({ waiting: [5] });
    await row(page, 2).locator('.card-choices').waitFor();
    await host.send({ type: 'reveal', index: 5 });
    await page.locator('[data-index="2"]:focus').waitFor();
    await whenReady(page);
    await page.keyboard.press('3');
    await until(() => host.intentsOf('answerPermission').length === 2, page);
    assert.deepEqual(
      (await host.sent('answerPermission')).map(({ requestId, optionId }) => [requestId, optionId]),
      [
        [1, 'once'],
        [2, 'no'],
      ],
    );
  });

  it('opens the change and the whole texts of the request, not of the call’s current state', async () => {
    const { page, host } = await open({
      entries: [toolCall(edit), asked(1, 0, edit)],
      session: { waiting: [1] },
    });
    await whenReady(page);
    await page.getByRole('button', { name: 'src/cart.ts', exact: true }).click();
    await until(() => host.intentsOf('openDiff').length === 1, page);
    assert.deepEqual(await host.sent('openDiff'), [{ type: 'openDiff', index: 1, content: 0 }]);
  });

  it('stays a card of its own with its title when its call isn’t close above', async () => {
    const { page } = await open({
      entries: [toolCall(edit), agent('Later'), permission(1, edit)],
      session: { waiting: [2] },
    });
    await whenReady(page);
    await row(page, 2).locator('.card-subject', { hasText: 'Edit src/cart.ts' }).waitFor();
    await row(page, 2).getByRole('region', { name: 'Edit src/cart.ts' }).waitFor();
    await row(page, 2).locator('.diff-line-added').waitFor();
  });

  it('V2-PERM-1: in its call’s row, the question has its own words below the call’s title', async () => {
    const { page } = await open({
      entries: [
        user('Go'),
        toolCall({ ...edit, status: 'pending' }),
        permission(1, edit, { call: 1, title: 'May I round?', description: 'Only this once.' }),
      ],
      session: { waiting: [2] },
    });
    await page.locator('.card-ask', { hasText: 'May I round?' }).waitFor();
    await page.getByText('Only this once.').waitFor();
    assert.equal(await page.getByText('Edit src/cart.ts').count(), 1);
    assert.equal(await page.locator('.diff').count(), 1);
    await page.getByRole('article', { name: /^Permission, May I round\?/ }).waitFor();
  });
});
