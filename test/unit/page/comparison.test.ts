import assert from 'node:assert/strict';
import type { FromComparison, ToComparison } from '../../../src/shared/comparison/comparison';
import { pageHtml } from '../../../src/views/transcript/tabs/html';
import { compared } from '../../ui/webview/harness/scenes/comparison';
import { openDom } from './harness/pageDom';

describe('the comparison of sessions', () => {
  let close = (): void => undefined;
  afterEach(() => close());

  async function open(message: ToComparison) {
    const sent: FromComparison[] = [];
    const opened = await openDom({
      program: 'comparison',
      html: pageHtml(
        { cspSource: '', script: '', styles: [] },
        { title: 'Comparison', policy: [], texts: undefined },
      ),
      height: 700,
      receive: (value) => sent.push(value as FromComparison),
    });
    close = opened.close;
    await opened.post(message);
    return { page: opened.page, sent };
  }

  it('has state, time, cost, files and check of each, as text, and what can be done', async () => {
    const { page, sent } = await open(compared(2));
    await page.getByText('Failed', { exact: true }).waitFor();
    const text = await page.locator('.comparison-columns').textContent();
    for (const part of ['Running', '3 min 5 s', '0.42 USD', '+120', '−8', '<b>Done</b>']) {
      assert.ok(text?.includes(part), `${part} in ${text}`);
    }
    await page.getByRole('button', { name: 'Apply…' }).first().click();
    await page.getByRole('button', { name: 'Apply Hunks…' }).first().click();
    await page.getByRole('button', { name: 'Discard…' }).first().click();
    await page.getByRole('button', { name: 'src/parser.ts' }).click();
    assert.deepEqual(sent, [
      { type: 'ready' },
      { type: 'apply', key: '0' },
      { type: 'hunks', key: '0' },
      { type: 'discard', key: '0' },
      { type: 'file', name: 'src/parser.ts' },
    ]);
  });

  it('offers nothing about changes that aren’t there', async () => {
    const { sessions, ...rest } = compared(2);
    const empty = sessions.map((session) => ({ ...session, files: 0 }));
    const { page } = await open({ ...rest, sessions: empty, files: [] });
    await page.getByText('Failed', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Apply…' }).count(), 0);
    assert.equal(await page.locator('table').count(), 0);
  });
});
