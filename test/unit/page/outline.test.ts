import type { Entry } from '../../../src/shared/transcript/entries';
import { conversation, user } from '../../ui/webview/harness/entries';
import { openFind } from '../../ui/webview/harness/keybindings';
import { eventful } from '../../ui/webview/harness/scenes/outline';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

function row(page: Page, index: number) {
  return page.locator(`[data-index="${index}"]`);
}

async function waitForTop(page: Page, index: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const element = document.querySelector(`[data-index="${wanted}"]`);
    const top = document.querySelector('.scroller')?.getBoundingClientRect().top ?? 0;
    return element !== null && Math.abs(element.getBoundingClientRect().top - top) < 40;
  }, index);
}

describe('the outline of a transcript', () => {
  const open = useTranscripts();

  async function openAt(entries: readonly Entry[], index: number) {
    const opened = await open({ entries });
    await row(opened.page, entries.length - 1).waitFor();
    await opened.host.send({ type: 'reveal', index });
    await row(opened.page, index).waitFor();
    await waitForTop(opened.page, index);
    return opened;
  }

  it('says what a prompt has become', async () => {
    const { page, host } = await openAt(conversation(300), 155);
    await page.locator('.sticky', { hasText: 'Question 150' }).waitFor();
    host.replace(150, user('Another\nquestion'));
    await page.locator('.sticky', { hasText: 'Another question' }).waitFor();
  });

  it('moves between changes and errors when the host says so', async () => {
    const { page, host } = await openAt(eventful(1000), 300);
    await host.send({ type: 'go', target: 'error', direction: 'next' });
    await waitForTop(page, 301);
    await host.send({ type: 'go', target: 'error', direction: 'next' });
    await waitForTop(page, 431);
    await host.send({ type: 'go', target: 'diff', direction: 'previous' });
    await waitForTop(page, 372);
    await host.send({ type: 'go', target: 'turn', direction: 'previous' });
    await waitForTop(page, 370);
  });

  it('moves between changes and errors by keyboard', async () => {
    const { page } = await openAt(eventful(1000), 300);
    await page.keyboard.press('Alt+F8');
    await waitForTop(page, 301);
    await page.keyboard.press('Alt+Shift+PageDown');
    await waitForTop(page, 302);
    await page.keyboard.press('Alt+Shift+PageUp');
    await waitForTop(page, 232);
    await page.keyboard.press('Alt+Shift+F8');
    await waitForTop(page, 171);
  });

  it('marks the matches', async () => {
    const { page } = await openAt(eventful(1000), 500);
    await openFind(page);
    await page.keyboard.type('Question 4');
    await page.waitForFunction(
      () => (document.querySelector('.ruler-found')?.getAttribute('d') ?? '').length > 0,
    );
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      () => document.querySelector('.ruler-found')?.getAttribute('d') === '',
    );
  });
});
