import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { agent, conversation, message, toolCall, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

declare function savedState(): SavedState;

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

  it('folds and unfolds by kind, and does the same with what comes', async () => {
    const { page, host } = await open({
      entries: [
        user('Go'),
        message('thought', 'Thinking\n\nabout everything'),
        toolCall({ rawInput: { path: 'found-me' } }),
      ],
    });
    await page.getByRole('button', { name: /Thought/ }).waitFor();
    await host.send({ type: 'fold', kind: 'thought', open: true });
    await page.getByText('about everything', { exact: true }).waitFor();
    assert.equal(await page.getByText('found-me').count(), 0);
    await host.send({ type: 'fold', kind: 'tool', open: true });
    await page.getByText('found-me').waitFor();
    host.append(message('thought', 'More\n\nnew and open'));
    await page.getByText('new and open', { exact: true }).waitFor();
    await host.send({ type: 'fold', kind: 'all', open: false });
    await page.getByText('found-me').waitFor({ state: 'detached' });
    await page.getByText('new and open', { exact: true }).waitFor({ state: 'detached' });
  });

  it('keeps its folds over a reload', async () => {
    const entries = [
      user('Go'),
      message('thought', 'One\n\nfirst thought'),
      message('thought', 'Two\n\nsecond thought'),
      toolCall({ rawInput: { path: 'found-me' } }),
    ];
    const first = await open({ entries });
    await first.page.getByText('Thought').first().waitFor();
    await first.host.send({ type: 'fold', kind: 'thought', open: true });
    await first.page.getByText('second thought', { exact: true }).waitFor();
    await first.page
      .getByRole('button', { name: /Thought/ })
      .first()
      .click();
    await first.page.getByText('first thought', { exact: true }).waitFor({ state: 'detached' });
    await first.page.waitForFunction(() => savedState().folds.parts.length === 1);

    const again = await open({ entries, state: await first.state() });
    await again.page.getByText('second thought', { exact: true }).waitFor();
    assert.equal(await again.page.getByText('first thought', { exact: true }).count(), 0);
    assert.equal(await again.page.getByText('found-me').count(), 0);
  });

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

  it('tells VS Code what its context menu is opened on', async () => {
    const { page } = await open({ entries: [user('Go'), agent(code)] });
    const contexts = await page
      .getByText('npm test')
      .evaluate((element) =>
        [element.closest('figure'), element.closest('article')].map((around) =>
          around?.getAttribute('data-vscode-context'),
        ),
      );
    assert.deepEqual(contexts, [
      '{"acpSessionsCode":true}',
      '{"webviewSection":"entry","entry":1}',
    ]);
  });

  it('copies the row that the keyboard is at', async () => {
    const { page, host } = await open({ entries: conversation(50) });
    await page.getByText('Answer 49').waitFor();
    await host.send({ type: 'reveal', index: 31 });
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '31');
    await host.send({ type: 'copy', what: 'turn' });
    while (host.intentsOf('copy').length < 1) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.deepEqual(await host.sent('copy'), [
      { type: 'copy', what: 'turn', index: 31, last: 31 },
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
