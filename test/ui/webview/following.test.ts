import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allFields, form, permission } from './harness/asking';
import { prompt, running } from './harness/composing';
import { agent, conversation, toolCall, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at} of the output`).join('\n');

/** Waits until the end is in view, and the list is known to follow it. */
async function waitForEnd(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const list = document.querySelector('.scroller');
    return (
      list &&
      !document.querySelector('.placeholder') &&
      list.scrollHeight - list.clientHeight - list.scrollTop <= 2
    );
  });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  assert.equal(await page.getByRole('button', { name: /Jump to latest/ }).count(), 0);
}

/** Makes the composer lower with the next entry; the browser moves the list before the page takes it. */
function lowerComposer(page: Page): Promise<void> {
  return page.evaluate(() => {
    const lower = ({ data }: MessageEvent<{ readonly type: string }>): void => {
      if (data.type !== 'patch') {
        return;
      }
      window.removeEventListener('message', lower, { capture: true });
      document.querySelector<HTMLElement>('.composer')?.style.setProperty('max-height', '40px');
      // Reading it makes the browser lay out the page.
      document.body.dataset['place'] = `${document.querySelector('.scroller')?.scrollTop}`;
    };
    window.addEventListener('message', lower, { capture: true });
  });
}

describe('following the end', () => {
  const open = useTranscripts();

  it('goes on when the composer becomes lower and an answer comes at the same time', async () => {
    const { page, host } = await open({ entries: conversation(60) });
    await page.getByText('Answer 59').waitFor();
    await prompt(page).fill(lines(8));
    await waitForEnd(page);
    await lowerComposer(page);
    host.append(user('Again'), agent(`It goes on\n\n${'Words. '.repeat(200)}`));
    await page.getByText('It goes on').waitFor();
    await waitForEnd(page);
  });

  it('goes on after a key in a field of a card, and after zooming with the wheel', async () => {
    const { page, host } = await open({
      entries: [...conversation(30), form(1, allFields.slice(0, 5))],
      session: { waiting: [30] },
    });
    await page.getByRole('textbox', { name: /^Name/ }).press('ArrowUp');
    await prompt(page).focus();
    await page.locator('.scroller').evaluate((list) => {
      list.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, ctrlKey: true, bubbles: true }));
    });
    host.replace(30, form(1, allFields, { state: { kind: 'declined' } }));
    host.setSession({ waiting: [] });
    host.append(agent(`It goes on\n\n${'Words. '.repeat(400)}`));
    await page.getByText('It goes on').waitFor();
    await waitForEnd(page);
  });

  it('ends with the first turn of the wheel, whatever grows meanwhile', async () => {
    const { page, host } = await open({ entries: conversation(60) });
    await page.getByText('Answer 59').waitFor();
    await waitForEnd(page);
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -400);
    for (let length = 1; length < 10; length++) {
      host.replace(59, agent(`Answer 59\n\n${'More.\n\n'.repeat(length)}`));
    }
    await page.getByRole('button', { name: /Jump to latest/ }).waitFor();
    host.append(agent('Not in view'));
    await page.getByRole('button', { name: 'Jump to latest 1 new' }).waitFor();
  });

  it('goes on over a call that fails, becomes shorter and asks', async () => {
    const { page, host } = await open({
      entries: conversation(30),
      session: { turn: running },
      viewport: { width: 640, height: 700 },
    });
    await page.getByText('Answer 29').waitFor();
    const call = toolCall({
      toolCallId: 'again',
      title: 'npm test',
      toolKind: 'execute',
      status: 'failed',
      content: [{ type: 'content', block: { type: 'text', text: lines(60) } }],
    });
    host.append(user('Run the tests'), { ...call, status: 'in_progress' });
    host.replace(31, call);
    await waitForEnd(page);
    host.append(permission(1, { toolCallId: 'again', toolKind: 'execute', title: 'npm test' }));
    host.setSession({ waiting: [32] });
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    await waitForEnd(page);
    host.append(agent(`Meanwhile\n\n${'Words. '.repeat(60)}`));
    await page.getByText('Meanwhile').waitFor();
    await waitForEnd(page);
  });

  it('leaves the way to the end beside the list while a question is open', async () => {
    for (const viewport of [
      { width: 640, height: 700 },
      { width: 320, height: 360 },
    ]) {
      const { page } = await open({
        entries: [...conversation(30), permission(1), agent('Later. '.repeat(400))],
        session: { waiting: [30], turn: running },
        viewport,
      });
      await page.getByRole('button', { name: 'Reject' }).waitFor();
      await page.locator('.scroller').hover();
      await page.mouse.wheel(0, -60);
      const jump = await page.getByRole('button', { name: /Jump to latest/ }).boundingBox();
      const list = await page.locator('.scroller').boundingBox();
      assert.ok(jump && list && jump.y >= list.y + list.height, 'it covers nothing');
    }
  });
});
