import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { commands, prompt, running } from './harness/composing';
import { agent, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const words = 'Every one of these letters has been typed, and not one is lost. ';

/** Selects all as VS Code's key binding does in every webview, some time after the key press. */
async function selectAllAsVsCode(page: Page): Promise<void> {
  await page.evaluate(() => {
    const target = document as unknown as { execCommand(name: string): boolean };
    window.addEventListener('keydown', ({ ctrlKey, key }) => {
      if (ctrlKey && key === 'a') {
        setTimeout(() => {
          target.execCommand('selectAll');
          document.body.dataset['selectedByVsCode'] = 'yes';
        }, 20);
      }
    });
  });
}

describe('typing fast', () => {
  const open = useTranscripts();

  it('loses no letter typed over a selection while VS Code selects all again and an answer arrives', async () => {
    const { page, host } = await open({
      entries: [user('Hi'), agent('Hello')],
      session: { turn: running, commands },
    });
    await prompt(page).fill('/rev');
    await selectAllAsVsCode(page);
    let text = 'Hello';
    const timer = setInterval(() => {
      // Bounded, so that a slow machine renders the same amount.
      text = text.length < 1000 ? `${text} and so on` : 'Hello';
      host.replace(1, agent(text));
    }, 5);
    try {
      for (const start of ['', '/', '@', '/compact ']) {
        await page.keyboard.press('Control+a');
        await page.keyboard.type(start + words);
        assert.equal(await prompt(page).inputValue(), start + words);
      }
    } finally {
      clearInterval(timer);
    }
  });

  it('still selects all of the conversation from there', async () => {
    const { page } = await open({ entries: [user('A question'), agent('Some words')] });
    await page.getByText('Some words').waitFor();
    await selectAllAsVsCode(page);
    await page.getByRole('group', { name: 'Conversation' }).focus();
    await page.keyboard.press('Control+a');
    await page.waitForFunction(() => /A question[^]*Some words/.test(String(getSelection())));
    await page.waitForFunction(() => document.body.dataset['selectedByVsCode'] === 'yes');
  });
});
