import assert from 'node:assert/strict';
import { permission } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('rules that are offered with permission requests', () => {
  const open = useTranscripts();

  it('PE-5: a rule is offered below the options, quietly, and by keyboard', async () => {
    const rawInput = { command: 'git status' };
    const rule = { command: ['git', 'status'] };
    const { page, host } = await open({
      entries: [user('Go'), permission(7, { toolKind: 'execute', rawInput }, { rule })],
      session: { waiting: [1] },
    });
    const offer = page.getByRole('button', { name: 'Always allow “git status …” by a rule' });
    await offer.waitFor();
    assert.equal(await offer.getAttribute('class'), 'text-button');
    await page
      .getByText(/In every session of .*, in trusted workspaces, until you remove it/)
      .waitFor();
    await page.locator('.card-rule [aria-disabled=false]').waitFor();
    await offer.focus();
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('allowByRule').length === 1, page);
    assert.deepEqual(await host.sent('allowByRule'), [{ type: 'allowByRule', requestId: 7 }]);
    assert.deepEqual(host.intentsOf('answerPermission'), [], 'the rule comes first');
  });

  it('PE-5: a rule for a file names it', async () => {
    const edit = permission(7, { toolKind: 'edit' }, { rule: { path: 'a.ts' } });
    const { page, host } = await open({
      entries: [user('Go'), edit],
      session: { waiting: [1] },
    });
    await page.getByRole('button', { name: 'Always allow changes of “a.ts” by a rule' }).click();
    await until(() => host.intentsOf('allowByRule').length === 1, page);
    assert.deepEqual(await host.sent('allowByRule'), [{ type: 'allowByRule', requestId: 7 }]);
  });
});
