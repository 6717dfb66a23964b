import assert from 'node:assert/strict';
import { agent, conversation, toolCall } from '../../ui/webview/harness/entries';
import { openFind } from '../../ui/webview/harness/keybindings';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

/** Opens the find widget and types. */
async function find(page: Page, text: string): Promise<void> {
  await openFind(page);
  await page.keyboard.type(text);
}

function count(page: Page, text: string): Locator {
  return page.locator('.find-count', { hasText: text });
}

/**
 * Waits until the current match is this text and in view, and this many other matches are marked.
 */
async function current(page: Page, text: string, others: number): Promise<void> {
  await page.waitForFunction(
    ([wanted, marked]) => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      if (!(range instanceof Range) || range.toString() !== wanted) {
        return false;
      }
      const { top, bottom } = range.getBoundingClientRect();
      return (
        top >= 0 &&
        bottom <= innerHeight &&
        CSS.highlights.get('find-match')?.size === Number(marked)
      );
    },
    [text, String(others)],
  );
}

describe('finding in a transcript', () => {
  const open = useTranscripts();

  it('matches case, whole words and regular expressions, by buttons and by keys', async () => {
    const { page } = await open({
      entries: [agent('Größe größe Größenwahn 12 345'), ...conversation(5)],
    });
    await page.getByText('Größenwahn').waitFor();
    await find(page, 'größe');
    await count(page, '1 of 3').waitFor();
    const pressed = (name: RegExp) => page.getByRole('button', { name, pressed: true });
    await page.keyboard.press('Alt+w');
    await pressed(/Match Whole Word/).waitFor();
    await count(page, '1 of 2').waitFor();
    await current(page, 'Größe', 1);
    await page.keyboard.press('Alt+c');
    await pressed(/Match Case/).waitFor();
    await count(page, '1 of 1').waitFor();
    await current(page, 'größe', 0);
    await page.getByRole('button', { name: /Match Whole Word/ }).click();
    await page.keyboard.press('Alt+r');
    await pressed(/Use Regular Expression/).waitFor();
    await page.getByRole('textbox', { name: /Find/ }).fill(String.raw`\d{2,3}`);
    await count(page, '1 of 2').waitFor();
    await current(page, '12', 1);
    await page.keyboard.press('Enter');
    await count(page, '2 of 2').waitFor();
    await current(page, '345', 1);
  });

  it('keeps its keys from the menus of VS Code, and the focus', async () => {
    const { page } = await open({ entries: conversation(5) });
    await page.getByText('Answer 4').waitFor();
    await find(page, 'Answer');
    // What reaches the window is passed on to VS Code.
    await page.evaluate(() => {
      const passed: string[] = [];
      window.addEventListener('keydown', ({ code, altKey }) => passed.push(`${altKey}:${code}`));
      Object.assign(window, { passed });
    });
    for (const key of ['r', 'c', 'w']) {
      await page.keyboard.press(`Alt+${key}`);
    }
    await page.getByRole('button', { name: /Whole Word/, pressed: true }).waitFor();
    const passed = await page.evaluate(() => (window as never as { passed: string[] }).passed);
    // The key without a meaning keeps Alt from counting as pressed alone.
    assert.deepEqual(passed, [
      'true:AltLeft',
      'true:',
      'true:AltLeft',
      'true:',
      'true:AltLeft',
      'true:',
    ]);
    await page.locator('.find input:focus').waitFor();
  });

  it('explains an invalid regular expression, and continues with the next one', async () => {
    const { page } = await open({ entries: [agent(`${'a'.repeat(3000)}!`), ...conversation(5)] });
    await page.getByText('Answer 4').waitFor();
    await find(page, '(');
    await page.keyboard.press('Alt+r');
    await count(page, 'Invalid regular expression').waitFor();
    const input = page.getByRole('textbox', { name: /Find/ });
    await page.locator('input[aria-invalid="true"]').waitFor();
    await input.fill('(a+)+$');
    await count(page, 'Regular expression takes too long').waitFor();
    await input.fill('Answer [14]');
    await count(page, '1 of 1').waitFor();
    await page.locator('input[aria-invalid="false"]').waitFor();
  });

  it('unfolds everything around a match', async () => {
    const hidden = toolCall({ title: 'Hidden', rawInput: { text: 'the needle in a fold' } });
    const { page } = await open({ entries: [hidden, ...conversation(5)] });
    await page.getByText('Answer 4').waitFor();
    await find(page, 'needle');
    await page.getByText('the needle in a fold').waitFor();
    await current(page, 'needle', 0);
  });
});
