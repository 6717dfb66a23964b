import assert from 'node:assert/strict';
import { option, prompt, until } from '../../ui/webview/harness/composing';
import { useTranscripts } from './harness/transcriptPage';

describe('what goes along with a prompt', () => {
  const open = useTranscripts();

  it('mentions files: found as one types, named in the text, and sent along', async () => {
    const { page, host } = await open();
    host.files = [
      { uri: 'file:///shop/src/cart.ts', name: 'cart.ts', detail: 'src', isFolder: false },
      { uri: 'file:///shop/src/carts/', name: 'carts', detail: 'src', isFolder: true },
      { uri: 'file:///shop/README.md', name: 'README.md', detail: '', isFolder: false },
    ];
    await prompt(page).focus();
    await page.keyboard.type('Look at @car');
    await option(page, /carts/).waitFor();
    assert.equal(await option(page, /./).count(), 2);
    await page.keyboard.press('Enter');
    assert.equal(await prompt(page).inputValue(), 'Look at @cart.ts ');
    const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    assert.deepEqual(await chips.allInnerTexts(), ['cart.ts']);
    await page.keyboard.type('and @READ');
    await option(page, /README/).click();
    await page.getByRole('button', { name: 'Remove cart.ts' }).click();
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.deepEqual((await host.sent('prompt'))[0]?.draft, {
      text: 'Look at @cart.ts and @README.md',
      attachments: [
        { type: 'file', uri: 'file:///shop/README.md', name: 'README.md', mention: '@README.md' },
      ],
    });
  });

  it('opens what goes along, by mouse and keyboard', async () => {
    const { page, host } = await open();
    const file = { type: 'file', uri: 'file:///shop/cart.ts', name: 'cart.ts' } as const;
    const uri = 'acp-sessions:problem.txt';
    const text = {
      type: 'text',
      uri,
      name: 'Problem',
      text: 'It is wrong',
      detail: 'Here',
    } as const;
    await host.send({ type: 'attach', attachments: [file, text] });
    await page.getByRole('button', { name: 'Open cart.ts' }).click();
    const button = page.getByRole('button', { name: 'Open Problem' });
    assert.equal(await page.locator('.attachment').last().getAttribute('title'), 'Here\n11 bytes');
    await button.focus();
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('openAttachment').length === 2, page);
    const opened = await host.sent('openAttachment');
    assert.deepEqual(
      opened.map(({ attachment }) => attachment),
      [file, text],
    );
  });

  it('takes an attachment away with its mention, and back with it', async () => {
    const { page, host } = await open();
    host.contexts = [
      { source: 'problems', about: 'all', mention: '@problems', name: 'Problems', detail: '3' },
    ];
    const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await prompt(page).focus();
    await page.keyboard.type('Fix @prob');
    await option(page, /@problems/).waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await chips.allInnerTexts(), ['Problems']);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    assert.equal(await chips.count(), 0);
    await page.keyboard.type('s');
    assert.equal(await chips.count(), 1);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Nothing now');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.deepEqual((await host.sent('prompt'))[0]?.draft, {
      text: 'Nothing now',
      attachments: [],
    });
  });
});
