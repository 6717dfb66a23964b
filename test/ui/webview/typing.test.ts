import assert from 'node:assert/strict';
import { commands, prompt, running } from './harness/composing';
import { agent, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const words = 'Every one of these letters has been typed, and not one is lost. ';

describe('typing fast', () => {
  const open = useTranscripts();

  it('loses no letter over what is selected, with VS Code selecting all once more and an answer coming', async () => {
    const { page, host } = await open({
      entries: [user('Hi'), agent('Hello')],
      session: { turn: running, commands },
    });
    await prompt(page).fill('/rev');
    // As VS Code does it in every webview: by its keybinding, some time after the key.
    await page.evaluate(() => {
      const target = document as unknown as { execCommand(name: string): boolean };
      window.addEventListener('keydown', ({ ctrlKey, key }) => {
        if (ctrlKey && key === 'a') {
          setTimeout(() => target.execCommand('selectAll'), 20);
        }
      });
    });
    let text = 'Hello';
    const timer = setInterval(() => {
      text += ' and so on';
      host.replace(1, agent(text));
    }, 5);
    try {
      for (const start of ['', '/', '@', '/compact ']) {
        await page.keyboard.press('Control+a');
        await page.keyboard.type(start + words.repeat(3));
        assert.equal(await prompt(page).inputValue(), start + words.repeat(3));
      }
    } finally {
      clearInterval(timer);
    }
  });

  it('still selects all of the conversation from there', async () => {
    const { page } = await open({ entries: [agent('Some words')] });
    await page.getByText('Some words').waitFor();
    await page.getByRole('group', { name: 'Conversation' }).focus();
    const heard = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          window.addEventListener('keydown', ({ key }) => key === 'a' && resolve(key));
        }),
    );
    await page.keyboard.press('Control+a');
    assert.equal(await heard, 'a');
  });
});
