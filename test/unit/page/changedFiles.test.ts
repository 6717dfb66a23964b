import assert from 'node:assert/strict';
import type { ChangedFile } from '../../../src/shared/transcript/webviewMessages';
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

  it('are nothing where none have changed', async () => {
    const { page, host } = await open({ entries: sample });
    await page.getByRole('button', { name: 'Fold All' }).waitFor();
    assert.equal(await page.locator('.changed-files-button').count(), 0);
    host.setSession({ changedFiles });
    await page.locator('.changed-files-button').waitFor();
  });
});
