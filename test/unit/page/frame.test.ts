import assert from 'node:assert/strict';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { agent, conversation, user } from '../../ui/webview/harness/entries';
import { openFind } from '../../ui/webview/harness/keybindings';
import type { Page } from './harness/page';
import { saved, useTranscripts } from './harness/transcriptPage';

declare function savedState(): SavedState;

/** The status text for screen readers. */
function announced(page: Page, text: string) {
  return page.locator('.sr-only[role="status"]', { hasText: text });
}

describe('around the transcript', () => {
  const open = useTranscripts();

  it('names the session, its agent and its folder, and follows a new title', async () => {
    const { page, host } = await open({ entries: [user('Hi')] });
    await page.getByRole('heading', { level: 1, name: 'Fix the checkout' }).waitFor();
    await page.getByText('Claude', { exact: true }).waitFor();
    await page.getByText('/project/shop', { exact: true }).waitFor();
    host.setHeader({ title: 'Prices in cents' });
    await page.getByRole('heading', { level: 1, name: 'Prices in cents' }).waitFor();
  });

  it('shows how far a replay has come, and cancels it', async () => {
    const { page, host } = await open({ phase: { kind: 'loading', received: 0 } });
    await page.getByRole('progressbar').waitFor();
    await page.getByText('Waiting for the agent…').waitFor();
    host.append(...conversation(20));
    host.setPhase({ kind: 'loading', received: 1234 });
    await page.getByText('Loading… 1,234 updates').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await host.sent('cancelLoad')).length, 1);
    await announced(page, 'Loading the session').waitFor({ state: 'attached' });
    host.setPhase({ kind: 'ready' });
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await announced(page, 'Loaded 20 entries').waitFor({ state: 'attached' });
  });

  it('says that what is shown is from the last time, until it is replayed or fails', async () => {
    const { page, host } = await open({
      ...{ entries: conversation(3), phase: { kind: 'loading', received: 0 } },
      session: { isCached: true },
    });
    await page.getByText('Question 0').waitFor();
    await page.getByText('From the last time. Waiting for the agent…').waitFor();
    host.setPhase({ kind: 'loading', received: 2 });
    await page.getByText('From the last time. Loading… 2 updates').waitFor();
    host.setPhase({ kind: 'cancelled' });
    await page.getByText('Shown here is the transcript of the last time.').waitFor();
    await page.getByText('Question 0').waitFor();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('T-13: says that the agent sent no history', async () => {
    const { page, host } = await open({ phase: { kind: 'empty' } });
    await page.getByText('Claude sent no history').first().waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says that the session continued elsewhere, and reloads it on request', async () => {
    const { page, host } = await open({ entries: conversation(3) });
    await page.getByText('Question 0').waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
    host.setSession({ wentOn: { canReload: true } });
    await page.getByText('This session was continued elsewhere').waitFor();
    assert.deepEqual(await host.sent('action'), []);
    await page.getByRole('button', { name: 'Reload' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says that loading was canceled, and how much was loaded', async () => {
    const { page, host } = await open({ phase: { kind: 'cancelled' } });
    await page.getByText('Nothing had arrived yet.').waitFor();
    host.append(...conversation(3));
    await page.getByText('Showing what arrived: 3 entries.').waitFor();
    await page.getByText('Question 0').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says what failed, what it means, and offers each way on', async () => {
    const { page, host } = await open({
      phase: {
        kind: 'failed',
        failure: {
          code: 'exited',
          title: 'Claude ended unexpectedly',
          detail: 'It ended with code 3 while it was replaying. The log has its last words.',
          actions: ['retry', 'diagnose', 'showLog', 'editAgents', 'manageTrust'],
        },
      },
      entries: conversation(2),
    });
    await page.getByText('Claude ended unexpectedly', { exact: true }).waitFor();
    await page.getByText('It ended with code 3', { exact: false }).waitFor();
    for (const name of ['Retry', 'Diagnose', 'Show Log', 'Edit Agents', 'Manage Workspace Trust']) {
      await page.getByRole('button', { name }).click();
    }
    assert.deepEqual(
      (await host.sent('action')).map(({ action }) => action),
      ['retry', 'diagnose', 'showLog', 'editAgents', 'manageTrust'],
    );
    await page.getByText('Question 0').waitFor();
    await announced(page, 'Loading failed: Claude ended unexpectedly').waitFor({
      state: 'attached',
    });
  });

  it('announces an answer to screen readers, in whole sentences', async () => {
    const { page, host } = await open({ entries: [user('What is wrong?')] });
    await page.getByText('What is wrong?').waitFor();
    host.setSession({ turn: { kind: 'running', cancelling: false, canForce: false } });
    const heard = page.getByRole('log');
    host.append(agent('The to'));
    host.replace(1, agent('The total is wrong. It is in do'));
    await heard.getByText('The total is wrong.', { exact: true }).waitFor({ state: 'attached' });
    host.replace(1, agent('The total is wrong. It is in dollars.'));
    host.setSession({ turn: { kind: 'idle' } });
    await heard.getByText('It is in dollars.', { exact: true }).waitFor({ state: 'attached' });
    assert.deepEqual(await heard.locator('p').allTextContents(), [
      'The total is wrong.',
      'It is in dollars.',
    ]);
  });

  it('saves which session this is before anything has arrived, and its title as it changes', async () => {
    const { page, host, state } = await open({ phase: { kind: 'loading', received: 0 } });
    await page.getByText('Waiting for the agent…').waitFor();
    const folds = { kinds: {}, parts: [] };
    assert.deepEqual(await state(), { saved, anchor: 'end', folds, history: [] });
    host.append(...conversation(3));
    host.setHeader({ title: 'Renamed' });
    await page.waitForFunction(() => savedState().saved.title === 'Renamed');
  });

  it('looks again when more has been loaded', async () => {
    const { page, host } = await open({
      entries: conversation(5),
      phase: { kind: 'loading', received: 5 },
    });
    await page.getByText('Answer 4', { exact: true }).waitFor();
    await openFind(page);
    await page.keyboard.type('Question');
    await page.getByText('1 of 1').waitFor();
    host.append(...conversation(25, 5));
    host.setPhase({ kind: 'ready' });
    await page.getByText('1 of 3').waitFor();
  });
});
