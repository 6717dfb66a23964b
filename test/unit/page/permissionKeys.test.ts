import assert from 'node:assert/strict';
import { permission } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { toolCall } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('permissions: keys and rejected calls', () => {
  const open = useTranscripts();

  it('PE-2: a kind of answer has the same digit in whatever order an agent offers them', async () => {
    const kinds = [
      ...(['other', 'reject_always', 'allow_always', 'reject_once', 'allow_always'] as const),
      ...(['allow_once', 'allow_once', 'other', 'other', 'other'] as const),
    ];
    const options = kinds.map((kind, at) => ({ optionId: `${at}`, name: `Answer ${at}`, kind }));
    const { page, host } = await open({
      entries: [permission(1, {}, { options })],
      session: { waiting: [0] },
    });
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    const shown = await page
      .locator('.card-choices .button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-keyshortcuts')));
    assert.deepEqual(shown, ['5', '4', '2', '3', '6', '1', '7', '8', '9', null]);
    await page.locator('[data-index="0"]').focus();
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    await page.keyboard.press('1');
    await until(() => host.intentsOf('answerPermission').length === 1, page);
    assert.equal((await host.sent('answerPermission'))[0]?.optionId, '5');
    await page.locator('.composer :focus').waitFor();
  });

  it('a call that was rejected says so quietly', async () => {
    const { page } = await open({ entries: [toolCall({ title: 'Edit', status: 'rejected' })] });
    const row = page.locator('.tool-rejected');
    await row.getByText('Rejected', { exact: true }).waitFor();
    await row.locator('.tool-status .codicon-circle-slash').waitFor();
    assert.equal(await page.locator('.tool-failed').count(), 0);
  });
});
