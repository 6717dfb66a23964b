import assert from 'node:assert/strict';
import { user } from '../../ui/webview/harness/entries';
import { openFind } from '../../ui/webview/harness/keybindings';
import { entries, read } from '../../ui/webview/harness/scenes/runs';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

const row = (page: Page, index: number): Locator => page.locator(`[data-index="${index}"]`);
const line = (page: Page): Locator => page.getByRole('button', { name: /^Read \d+ files/ });

describe('calls that only look around', () => {
  const open = useTranscripts();

  it('are one line, whose chips open them one by one', async () => {
    const { page, errors } = await open({ entries });
    await page.getByRole('button', { name: 'Read 2 files, searched twice' }).waitFor();
    assert.equal(await page.locator('.row').count(), 4);
    assert.equal(await row(page, 1).getAttribute('aria-label'), 'Read 2 files, searched twice');
    await page.getByText('Read alone.ts').waitFor();
    await line(page).click();
    assert.deepEqual(await row(page, 1).locator('.chip').allTextContents(), [
      'src/a.ts',
      'src/b.ts',
      'rg price',
      'rg total',
      'src/a.ts',
    ]);
    await row(page, 1).getByRole('button', { name: 'src/b.ts' }).click();
    await page.getByText('Text of b.ts').waitFor();
    await row(page, 1).locator('.chip').first().click();
    await row(page, 1)
      .getByRole('button', { name: /Read a.ts/ })
      .waitFor();
    await line(page).click();
    await row(page, 2).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.row').count(), 4);
    assert.deepEqual(errors, []);
  });

  it('fold as they come to their end, and what runs or has failed stands by itself', async () => {
    const { page, host } = await open({
      entries: [user('Look'), read('a.ts'), read('b.ts', { status: 'in_progress' })],
    });
    await page.getByText('Read b.ts').waitFor();
    assert.equal(await line(page).count(), 0);
    host.replace(2, read('b.ts'));
    await line(page).waitFor();
    await page.getByText('Read b.ts').waitFor({ state: 'detached' });
    host.append(read('c.ts', { status: 'failed' }));
    await page.getByText('Text of c.ts').waitFor();
    assert.equal(await page.locator('.row').count(), 3);
  });

  it('are reached one by one: by jumps, the arrow keys, find and copy', async () => {
    const { page, host } = await open({ entries });
    await line(page).waitFor();
    assert.equal(
      await row(page, 1).getAttribute('data-vscode-context'),
      '{"webviewSection":"entry","entry":1,"last":5}',
      'one line is copied with all that it stands for',
    );
    await host.send({ type: 'reveal', index: 3 });
    await page.locator('[data-index="3"]:focus').waitFor();
    await page.getByText('rg price').last().waitFor();
    await host.send({ type: 'copy', what: 'entry' });
    await page.keyboard.press('Alt+PageDown');
    await page.locator('[data-index="4"]:focus').waitFor();
    await row(page, 3).waitFor({ state: 'detached' });
    assert.deepEqual(await host.sent('copy'), [{ type: 'copy', what: 'entry', index: 3, last: 3 }]);
    await host.send({ type: 'reveal', index: 6 });
    await page.locator('[data-index="6"]:focus').waitFor();
    await row(page, 4).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowUp');
    await page.locator('[data-index="1"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-index="6"]:focus').waitFor();
    await openFind(page);
    await page.keyboard.type('Text of b');
    await page.getByText('Text of b.ts').waitFor();
    await row(page, 2).waitFor();
  });
});
