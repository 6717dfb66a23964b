import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { agent, conversation, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

/** Moves the focus elsewhere in VS Code, for example to the Command Palette, or back. */
function goAway(page: Page, away: boolean): Promise<void> {
  return page.evaluate((isAway) => {
    document.hasFocus = () => !isAway;
    window.dispatchEvent(new Event(isAway ? 'blur' : 'focus'));
  }, away);
}

const code = '```ts\nlet first = 1;\n```\n\n- in a list\n\n  ```sh\n  npm test\n  ```\n';

describe('reading a transcript', () => {
  const open = useTranscripts();

  it('asks for the code that the context menu was opened on, else for the one with the focus', async () => {
    const { page, host } = await open({ entries: [user('Go'), agent('No code'), agent(code)] });
    await page.getByText('npm test').click({ button: 'right' });
    await host.send({ type: 'copy', what: 'code' });
    await page.waitForFunction(() => document.querySelector('.row') !== null);
    await page.locator('figure.code pre').first().focus();
    await page.keyboard.press('Shift');
    await host.send({ type: 'copy', what: 'code' });
    while (host.intentsOf('copyCode').length < 2) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    const place = { type: 'copyCode', index: 2, part: 'blocks', item: 0 };
    assert.deepEqual(await host.sent('copyCode'), [
      { ...place, at: 1 },
      { ...place, at: 0 },
    ]);
  });

  it('takes the focus from nothing else in VS Code, and restores it when the user comes back', async () => {
    const { page, host } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await goAway(page, true);
    await host.send({ type: 'reveal', index: 31 });
    await page.getByText('Step 31').waitFor();
    assert.equal(await page.locator(':focus').count(), 0);
    await goAway(page, false);
    await page.locator('[data-index="31"]:focus').waitFor();

    await goAway(page, true);
    await host.send({ type: 'command', command: 'jumpToLatest' });
    await page.getByText('Answer 299').waitFor();
    await page.locator('[data-index="31"]').waitFor({ state: 'detached' });
    assert.equal(await page.locator(':focus').count(), 0);
    await goAway(page, false);
    await page.locator('.scroller:focus').waitFor();
  });

  it('has the focus where it was when the user comes back', async () => {
    const { page } = await open({ entries: conversation(30) });
    for (const place of [page.getByRole('textbox'), page.locator('.row').last()]) {
      await place.focus();
      // VS Code takes the focus from whichever element has it.
      await place.evaluate((element: HTMLElement) => element.blur());
      await goAway(page, true);
      await goAway(page, false);
      await place.and(page.locator(':focus')).waitFor();
    }
  });
});
