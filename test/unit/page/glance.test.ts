import assert from 'node:assert/strict';
import { until } from '../../ui/webview/harness/composing';
import { item } from '../../ui/webview/harness/scenes/glance';
import { useGlance } from './harness/glancePage';

const answers = [
  { optionId: 'once', name: 'Allow once', icon: 'check', isMain: true },
  { optionId: 'no', name: 'Reject', icon: 'circle-slash', isMain: false },
];

describe('all sessions at a glance', () => {
  const open = useGlance();

  it('SEC-31: answers a request there, but not with a click that was meant for what was there before', async () => {
    const view = await open();
    await view.show([
      item('a', {
        group: 'needsAnswer',
        asked: 'npm run deploy',
        request: { requestId: 7, answers },
      }),
    ]);
    const allow = view.page.getByRole('button', { name: 'Allow once' });
    await allow.dispatchEvent('click');
    await view.page.locator('.glance-answers .button[aria-disabled="false"]').first().waitFor();
    assert.deepEqual(view.sent, []);
    await allow.click();
    await until(() => view.sent.length === 1, view.page);
    assert.deepEqual(view.sent, [{ type: 'answer', key: 'a', requestId: 7, optionId: 'once' }]);
  });

  it('doesn’t wait for a pointer that only rests there', async () => {
    const view = await open();
    await view.show([item('a'), item('b')]);
    await view.page.getByText('Session b').waitFor();
    await view.page.locator('.glance-list').hover();
    await view.show([item('b'), item('c')]);
    await view.page.getByText('There is news.', { exact: false }).waitFor();
    await view.page.clock.fastForward(6_000);
    await view.page.getByText('Session c').waitFor();
    const titles = await view.page.locator('.glance-open').allTextContents();
    assert.deepEqual(titles, ['Session b', 'Session c']);
  });
});
