import assert from 'node:assert/strict';
import { violations } from './harness/axe';
import { agent, conversation, toolCall } from './harness/entries';
import { openFind } from './harness/keybindings';
import { sample } from './harness/sample';
import { setTheme, useTranscripts } from './harness/transcriptPage';

describe('around the transcript', () => {
  const open = useTranscripts();

  it('searches the whole transcript, marks the visible matches, and goes from one to the next', async () => {
    const entries = conversation(3000);
    for (const index of [40, 1500, 2500]) {
      entries[index] = agent(`Here is the **Needle** number ${index}`);
    }
    entries[2000] = toolCall({ title: 'Hidden', rawInput: { text: 'the needle in a fold' } });
    const { page } = await open({ entries });
    await page.getByText('Answer 2999').waitFor();
    await openFind(page);
    const input = page.getByRole('textbox', { name: 'Find in the whole session' });
    await page.keyboard.type('needle');
    await page.getByText('1 of 4').waitFor();
    await page.getByText('number 40').waitFor();
    const marked = () =>
      page.waitForFunction(() => {
        const ranges = [...(CSS.highlights.get('find-current') ?? [])];
        const range = ranges[0];
        if (!(range instanceof Range)) {
          return false;
        }
        const { top } = range.getBoundingClientRect();
        return range.toString().toLowerCase() === 'needle' && top > 0 && top < innerHeight;
      });
    await marked();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 4').waitFor();
    await page.getByText('number 1500').waitFor();
    await page.keyboard.press('F3');
    await page.getByText('3 of 4').waitFor();
    await page.getByText('the needle in a fold').waitFor();
    await marked();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('2 of 4').waitFor();
    await page.getByRole('button', { name: /Previous Match/ }).click();
    await page.getByText('1 of 4').waitFor();
    await page.getByRole('button', { name: 'Match Case' }).click();
    await page.getByText('1 of 1').waitFor();
    await input.fill('no such thing');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
    await page.waitForFunction(() => CSS.highlights.size === 0);
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Conversation',
    );
  });

  it('opens the find widget and jumps to the end at commands of the host', async () => {
    const { page, host } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await host.send({ type: 'command', command: 'find' });
    await page.getByRole('textbox', { name: /Find/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.getByText('Question 0').waitFor();
    await host.send({ type: 'command', command: 'jumpToLatest' });
    await page.getByText('Answer 299').waitFor();
  });

  it('is used by keyboard: turns, tool calls, rows, the first and the last', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    const focused = (index: number) =>
      page.waitForFunction((wanted) => {
        const row = document.activeElement;
        const top = row?.getBoundingClientRect().top ?? -1;
        return row?.getAttribute('data-index') === wanted && top >= 0 && top < innerHeight;
      }, String(index));
    await page.getByRole('group', { name: 'Conversation' }).focus();
    await page.keyboard.press('Home');
    await focused(0);
    await page.keyboard.press('Alt+ArrowDown');
    await focused(10);
    await page.keyboard.press('Alt+ArrowDown');
    await focused(20);
    await page.keyboard.press('Alt+PageDown');
    await focused(21);
    await page.keyboard.press('Alt+PageDown');
    await focused(22);
    await page.keyboard.press('Alt+PageUp');
    await focused(21);
    await page.keyboard.press('Alt+ArrowUp');
    await focused(20);
    await page.keyboard.press('ArrowDown');
    await focused(21);
    await page.keyboard.press('ArrowUp');
    await focused(20);
    await page.keyboard.press('End');
    await page.getByText('Answer 299').waitFor();
    assert.equal(await page.getByRole('button', { name: /Jump to latest/ }).count(), 0);
  });

  it('keeps the keys working when the row that had the focus is scrolled away', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '0');
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, 6000);
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Conversation',
    );
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(() => {
      const index = Number(document.activeElement?.getAttribute('data-index') ?? 'NaN');
      return index > 20 && index % 10 === 0;
    });
  });

  it('lets text be selected and copied', async () => {
    const { page } = await open({ entries: [agent('Some words to copy')] });
    await page.getByText('Some words to copy').click({ clickCount: 3 });
    assert.equal(
      (await page.evaluate(() => getSelection()?.toString() ?? '')).trim(),
      'Some words to copy',
    );
  });

  it('moves nothing by itself when less motion is asked for', async () => {
    const { page } = await open({
      entries: [toolCall({ status: 'in_progress' })],
      phase: { kind: 'loading', received: 1 },
      reducedMotion: 'reduce',
    });
    await page.getByText('Running').waitFor();
    const moving = await page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
  });

  it('has nothing that axe objects to', async () => {
    const { page } = await open({ entries: sample, viewport: { width: 900, height: 4000 } });
    await page.getByText('All 7 tests pass').waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) {
        fold.click();
      }
    });
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-expanded="false"]').length <= 4,
    );
    await openFind(page);
    await page.getByRole('textbox', { name: /Find/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    for (const theme of ['Light Modern', 'Default High Contrast'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await violations(page, 'colours'), [], theme);
    }
  });

  it('has nothing that axe objects to while it is empty or has failed', async () => {
    const { page, host } = await open({ phase: { kind: 'empty' } });
    await page.getByText('Claude sent no history').first().waitFor();
    assert.deepEqual(await violations(page), []);
    host.setPhase({ kind: 'loading', received: 3 });
    await page.getByRole('progressbar').waitFor();
    assert.deepEqual(await violations(page), []);
  });
});
