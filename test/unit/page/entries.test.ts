import assert from 'node:assert/strict';
import type { FailureCode } from '../../../src/shared/failure';
import type { Entry } from '../../../src/shared/transcript/entries';
import { permission } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { agent, conversation, toolCall, user } from '../../ui/webview/harness/entries';
import { failed, terminal } from '../../ui/webview/harness/scenes/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('entries of a turn', () => {
  const open = useTranscripts();

  it('PR-9: a turn that failed for good offers no sending again, and its words are text', async () => {
    const { page, errors } = await open({ entries: [user('Go'), failed] });
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send Again' }).count(), 0);
    await page.getByRole('button', { name: 'Show Log' }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('AUTH-13: sign in comes before sending again if the agent asks for it, otherwise after', async () => {
    const failedBy = (code: FailureCode): Entry => ({
      kind: 'turn',
      outcome: {
        type: 'failed',
        canResend: true,
        failure: { code, title: code, detail: '', actions: ['retry', 'signIn', 'showLog'] },
      },
    });
    const { page } = await open({ entries: [failedBy('authRequired'), failedBy('protocol')] });
    await page.getByText('protocol').waitFor();
    assert.deepEqual(await page.locator('.turn-failed button').allTextContents(), [
      ...['Sign In…', 'Send Again', 'Show Log'],
      ...['Send Again', 'Sign In…', 'Show Log'],
    ]);
  });

  it('US-6: a limit is said in the composer and at the turn, whose prompt can wait for its end', async () => {
    const resetsAt = Date.now() + 60_000;
    const failure = {
      code: 'protocol',
      ...{ title: '5-hour limit reached', detail: '', resetsAt },
      actions: ['retry', 'showLog'],
    } as const;
    const { page, host } = await open({
      entries: [{ kind: 'turn', outcome: { type: 'failed', canResend: true, failure } }],
      session: { limit: { status: 'reached', window: 'fiveHours', resetsAt } },
    });
    const line = page.getByRole('status', { name: 'Usage limit' });
    await line.getByText('5-hour limit reached, resets').waitFor();
    await page.getByRole('button', { name: 'Send When Reset' }).click();
    assert.deepEqual(await host.sent('sendWhenReset'), [{ type: 'sendWhenReset', index: 0 }]);
    host.setSession({
      queue: [{ id: 1, draft: { text: 'Later', attachments: [] }, held: true, at: resetsAt }],
    });
    await page.getByText('Sent when the limit is reset, only while this window is open').waitFor();
    host.setSession({ limit: { status: 'near', resetsAt: Date.now() - 1 } });
    await line.getByText('limit').waitFor({ state: 'detached' });
  });

  it('T-90: a turn that failed because of an image offers to go on without it, also after a reload', async () => {
    const failedBy = (canResend: boolean): Entry => ({
      kind: 'turn',
      outcome: {
        type: 'failed',
        canResend,
        failure: {
          code: 'imageRefused',
          ...{ title: 'Claude couldn’t process an image', detail: '' },
          actions: canResend ? ['retry', 'showLog'] : [],
        },
      },
    });
    const { page, host } = await open({
      entries: [user('Look'), failedBy(false), user('Go on'), failedBy(true)],
      session: { branches: { forks: [] } },
    });
    const go = page.getByRole('button', { name: 'Continue Without the Image' });
    await go.nth(1).click();
    assert.deepEqual(await page.locator('.turn-failed button').allTextContents(), [
      'Continue Without the Image',
      ...['Continue Without the Image', 'Send Again', 'Show Log'],
    ]);
    assert.equal(await page.locator('.turn-failed .button:not(.button-secondary)').count(), 2);
    assert.deepEqual(await host.sent('branch'), [
      { type: 'branch', act: 'withoutImage', index: 3 },
    ]);
  });

  it('CA-2: calls that a cancel left unfinished say so before the agent answers', async () => {
    const { page, host } = await open({
      entries: [
        toolCall({ title: 'One', status: 'pending' }),
        toolCall({ title: 'Two', status: 'in_progress' }),
      ],
      session: { turn: { kind: 'running', cancelling: false, canForce: false } },
    });
    await page.getByRole('article', { name: 'Tool call, Two, Running' }).waitFor();
    host.replace(0, toolCall({ title: 'One', status: 'cancelled' }));
    host.replace(1, toolCall({ title: 'Two', status: 'cancelled' }));
    await page.getByRole('article', { name: 'Tool call, One, Canceled' }).waitFor();
    await page.getByRole('article', { name: 'Tool call, Two, Canceled' }).waitFor();
    assert.equal(await page.locator('.tool .codicon-modifier-spin').count(), 0);
  });

  it('TE-7: what a terminal wrote stays in its call after its end', async () => {
    const { page } = await open({ entries: [terminal, agent('Done')] });
    await page.getByText('built <b>in</b> 40 ms').waitFor();
    await page.getByText('Exit code 3').waitFor();
  });

  it('are announced once, however far one scrolls from a request', async () => {
    const { page, host } = await open({ entries: conversation(400) });
    await page.getByText('Answer 399').waitFor();
    host.append(permission(1, { title: 'npm test' }));
    host.setSession({ waiting: [400] });
    const alert = page.getByRole('alert');
    await alert.getByText('Claude asks for permission: npm test').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      const scope = globalThis as unknown as { said: string[] };
      scope.said = [];
      for (const element of document.querySelectorAll('[role=alert]')) {
        new MutationObserver(() => scope.said.push(element.textContent)).observe(element, {
          childList: true,
          subtree: true,
          characterData: true,
        });
      }
    });
    await host.send({ type: 'reveal', index: 0 });
    await page.getByText('Question 0', { exact: true }).waitFor();
    await until(() => host.intentsOf('window').at(-1)?.start === 0, page);
    await page.getByText('Question 10', { exact: true }).waitFor({ state: 'attached' });
    const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    assert.deepEqual(said, []);
  });

  it('are announced as they come, not again when a newer one is answered', async () => {
    const { page, host } = await open({ entries: [permission(1, { title: 'npm ci' })] });
    const alert = page.getByRole('alert');
    host.setSession({ waiting: [0] });
    await alert.getByText('npm ci').waitFor({ state: 'attached' });
    host.append(permission(2, { title: 'npm test' }));
    host.setSession({ waiting: [0, 1] });
    await alert.getByText('npm test').waitFor({ state: 'attached' });
    host.setSession({ waiting: [0] });
    await alert.getByText('npm test').waitFor({ state: 'detached' });
    assert.equal(await alert.getByText('npm ci').count(), 0);
  });
});
