import assert from 'node:assert/strict';
import type { ChangedFile } from '../../../src/shared/transcript/webviewMessages';
import { until } from '../../ui/webview/harness/composing';
import { sample } from '../../ui/webview/harness/sample';
import { useTranscripts } from './harness/transcriptPage';

const changedFiles: readonly ChangedFile[] = [
  { path: '/project/shop/src/cart.ts', label: 'src/cart.ts', added: 12, removed: 4 },
  {
    path: '/project/shop/src/cents.ts',
    label: 'src/cents.ts',
    added: 2,
    removed: 0,
    state: 'changedSince',
  },
  { path: '/project/shop/old.ts', label: 'old.ts', added: 0, removed: 3, state: 'missing' },
];

describe('the changed files of a session', () => {
  const open = useTranscripts();

  it('are counted in the header, listed, and opened one by one or together', async () => {
    const { page, host } = await open({ entries: sample, session: { changedFiles } });
    const button = page.getByRole('button', { name: /3 files.*14 lines added, 7 lines removed/ });
    await button.click();
    const list = page.getByRole('region', { name: 'Changed files' });
    await list.getByText('changed since').waitFor();
    await list.getByText('no longer there').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Open All Changes' }).click();
    await until(() => host.intentsOf('openChanges').length === 1, page);
    assert.deepEqual(await host.sent('openChange'), [
      { type: 'openChange', path: '/project/shop/src/cents.ts' },
    ]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await button.click();
    await list.waitFor();
    await button.click();
    await list.waitFor({ state: 'detached' });
  });

  it('are nothing where none have changed', async () => {
    const { page, host } = await open({ entries: sample });
    await page.getByRole('button', { name: 'Collapse All' }).waitFor();
    assert.equal(await page.locator('.changed-files-button').count(), 0);
    host.setSession({ changedFiles });
    await page.locator('.changed-files-button').waitFor();
  });
});
