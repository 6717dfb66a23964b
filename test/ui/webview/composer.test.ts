import assert from 'node:assert/strict';
import { permission } from './harness/asking';
import { prompt, running, until } from './harness/composing';
import { conversation, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('the composer in the transcript', () => {
  const open = useTranscripts();

  it('UP-6: sends with Enter, breaks the line with Shift+Enter, goes to the end, and draws nothing itself', async () => {
    const { page, host } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await page.getByRole('group', { name: 'Conversation' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('Question 0').waitFor();
    await prompt(page).focus();
    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('prompt').length > 0, page);
    assert.deepEqual(await host.sent('prompt'), [
      { type: 'prompt', draft: { text: 'First line\nsecond line', attachments: [] } },
    ]);
    assert.equal(await prompt(page).inputValue(), '');
    await page.getByText('Answer 299').waitFor();
    assert.equal(await page.getByText('second line').count(), 0);
    host.append(user('First line\nsecond line'));
    await page.getByText('second line').waitFor();
    assert.equal(await page.getByText('second line').count(), 1);
  });

  it('keeps Home, End and the arrow keys to itself while it has the focus', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await prompt(page).fill('some words');
    const caret = () => prompt(page).evaluate((target: HTMLTextAreaElement) => target.selectionEnd);
    await page.keyboard.press('Home');
    assert.equal(await caret(), 0);
    await page.keyboard.press('End');
    assert.equal(await caret(), 10);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    assert.ok(await page.getByText('Answer 299').isVisible());
    assert.equal(await prompt(page).inputValue(), 'some words');
  });

  it('grows with its text up to two fifths of the height', async () => {
    const { page } = await open();
    const height = async () => (await prompt(page).boundingBox())?.height ?? 0;
    await prompt(page).fill('one');
    const one = await height();
    await prompt(page).fill('one\ntwo\nthree');
    const three = await height();
    assert.ok(three > one * 1.5);
    await prompt(page).fill('line\n'.repeat(200));
    assert.ok((await height()) <= 0.4 * 800 + 1);
  });

  it('says that the agent waits for an answer while the card that asks can’t be seen', async () => {
    const { page, host } = await open({
      entries: [user('Go'), permission(1), ...conversation(200)],
      session: { turn: running, waiting: [1] },
    });
    const status = page.locator('.turn-status');
    const goTo = status.getByRole('button', { name: 'Go to Request' });
    await goTo.waitFor();
    await goTo.click();
    await goTo.waitFor({ state: 'detached' });
    assert.equal((await status.innerText()).trim(), '');
    await page.locator('.scroller').evaluate((scroller) => scroller.scrollBy(0, 3000));
    await status.getByText('Claude needs your answer').waitFor();
    await page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    await goTo.waitFor({ state: 'detached' });
    host.setSession({ waiting: [] });
    await status.getByText('Claude is working…').waitFor();
  });
});
