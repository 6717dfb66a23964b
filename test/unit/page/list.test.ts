import assert from 'node:assert/strict';
import { agent, conversation, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('the list of entries', () => {
  const open = useTranscripts();

  it('asks for a snapshot when a message is missing, and is right afterward', async () => {
    const { page, host } = await open({ entries: [user('First')] });
    await page.getByText('First').waitFor();
    await host.send({ type: 'patch', revision: 999, changes: [], count: 5 });
    await page.waitForFunction(() => document.querySelectorAll('[data-index]').length === 1);
    host.append(agent('Second'));
    await page.getByText('Second').waitFor();
    assert.equal((await host.sent('resync')).length, 1);
    assert.equal(await page.locator('[data-index]').count(), 2);
  });

  it('shows another, shorter transcript after a reload of the session', async () => {
    const { page, host } = await open({ entries: conversation(500) });
    await page.getByText('Answer 499').waitFor();
    host.reset([]);
    await page.waitForFunction(() => document.querySelector('[data-index]') === null);
    host.reset([user('Once more'), agent('With fewer rows')]);
    await page.getByText('With fewer rows').waitFor();
    assert.equal(await page.locator('[data-index]').count(), 2);
  });
});
