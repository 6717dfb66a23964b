import assert from 'node:assert/strict';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { agent, conversation, toolCall, user } from '../../ui/webview/harness/entries';
import { openFind } from '../../ui/webview/harness/keybindings';
import type { Page } from './harness/page';
import { saved, useTranscripts } from './harness/transcriptPage';

declare function savedState(): SavedState;

/** The status text for screen readers. */
function announced(page: Page, text: string) {
  return page.locator('.sr-only[role="status"]', { hasText: text });
}

describe('around the transcript', () => {
  const open = useTranscripts();

  it('names the session, its agent and its folder, and follows a new title', async () => {
    const { page, host } = await open({ entries: [user('Hi')] });
    await page.getByRole('heading', { level: 1, name: 'Fix the checkout' }).waitFor();
    await page.getByText('Claude', { exact: true }).waitFor();
    await page.getByText('/project/shop', { exact: true }).waitFor();
    host.setHeader({ title: 'Prices in cents' });
    await page.getByRole('heading', { level: 1, name: 'Prices in cents' }).waitFor();
  });

  it('shows how far a replay has come, and cancels it', async () => {
    const { page, host } = await open({ phase: { kind: 'loading', received: 0 } });
    await page.getByRole('progressbar').waitFor();
    await page.getByText('Waiting for the agent…').waitFor();
    host.append(...conversation(20));
    host.setPhase({ kind: 'loading', received: 1234 });
    await page.getByText('Loading… 1,234 updates').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await host.sent('cancelLoad')).length, 1);
    await announced(page, 'Loading the session').waitFor({ state: 'attached' });
    host.setPhase({ kind: 'ready' });
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await announced(page, 'Loaded 20 entries').waitFor({ state: 'attached' });
  });

  it('says that the cached transcript is shown, until it is replayed or fails', async () => {
    const { page, host } = await open({
      ...{ entries: conversation(3), phase: { kind: 'loading', received: 0 } },
      session: { isCached: true },
    });
    await page.getByText('Question 0').waitFor();
    await page.getByText('Cached transcript. Waiting for the agent…').waitFor();
    host.setPhase({ kind: 'loading', received: 2 });
    await page.getByText('Cached transcript. Loading… 2 updates').waitFor();
    host.setPhase({ kind: 'cancelled' });
    await page.getByText('This is the cached transcript.').waitFor();
    await page.getByText('Question 0').waitFor();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('T-13: says that the agent sent no history', async () => {
    const { page, host } = await open({ phase: { kind: 'empty' } });
    await page.getByText('Claude sent no history').first().waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says that the session continued elsewhere, and reloads it on request', async () => {
    const { page, host } = await open({ entries: conversation(3) });
    await page.getByText('Question 0').waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
    host.setSession({ wentOn: { canReload: true } });
    await page.getByText('This session was continued elsewhere').waitFor();
    assert.deepEqual(await host.sent('action'), []);
    await page.getByRole('button', { name: 'Reload' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says that loading was canceled, and how much was loaded', async () => {
    const { page, host } = await open({ phase: { kind: 'cancelled' } });
    await page.getByText('Nothing had arrived yet.').waitFor();
    host.append(...conversation(3));
    await page.getByText('Showing what arrived: 3 entries.').waitFor();
    await page.getByText('Question 0').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual(await host.sent('action'), [{ type: 'action', action: 'retry' }]);
  });

  it('says what failed, what it means, and offers each way on', async () => {
    const { page, host } = await open({
      phase: {
        kind: 'failed',
        failure: {
          code: 'exited',
          title: 'Claude ended unexpectedly',
          detail: 'It ended with code 3 while it was replaying. The log has its last words.',
          actions: ['retry', 'diagnose', 'showLog', 'editAgents', 'manageTrust'],
        },
      },
      entries: conversation(2),
    });
    await page.getByText('Claude ended unexpectedly', { exact: true }).waitFor();
    await page.getByText('It ended with code 3', { exact: false }).waitFor();
    for (const name of ['Retry', 'Diagnose', 'Show Log', 'Edit Agents', 'Manage Workspace Trust']) {
      await page.getByRole('button', { name }).click();
    }
    assert.deepEqual(
      (await host.sent('action')).map(({ action }) => action),
      ['retry', 'diagnose', 'showLog', 'editAgents', 'manageTrust'],
    );
    await page.getByText('Question 0').waitFor();
    await announced(page, 'Loading failed: Claude ended unexpectedly').waitFor({
      state: 'attached',
    });
  });

  it('announces an answer to screen readers, in whole sentences', async () => {
    const { page, host } = await open({ entries: [user('What is wrong?')] });
    await page.getByText('What is wrong?').waitFor();
    host.setSession({ turn: { kind: 'running', cancelling: false, canForce: false } });
    const heard = page.getByRole('log');
    host.append(agent('The to'));
    host.replace(1, agent('The total is wrong. It is in do'));
    await heard.getByText('The total is wrong.', { exact: true }).waitFor({ state: 'attached' });
    host.replace(1, agent('The total is wrong. It is in dollars.'));
    host.setSession({ turn: { kind: 'idle' } });
    await heard.getByText('It is in dollars.', { exact: true }).waitFor({ state: 'attached' });
    assert.deepEqual(await heard.locator('p').allTextContents(), [
      'The total is wrong.',
      'It is in dollars.',
    ]);
  });

  it('saves which session this is before anything has arrived, and its title as it changes', async () => {
    const { page, host, state } = await open({ phase: { kind: 'loading', received: 0 } });
    await page.getByText('Waiting for the agent…').waitFor();
    const folds = { kinds: {}, parts: [] };
    assert.deepEqual(await state(), { saved, anchor: 'end', folds, history: [] });
    host.append(...conversation(3));
    host.setHeader({ title: 'Renamed' });
    await page.waitForFunction(() => savedState().saved.title === 'Renamed');
  });

  it('looks again when more has been loaded', async () => {
    const { page, host } = await open({
      entries: conversation(5),
      phase: { kind: 'loading', received: 5 },
    });
    await page.getByText('Answer 4', { exact: true }).waitFor();
    await openFind(page);
    await page.keyboard.type('Question');
    await page.getByText('1 of 1').waitFor();
    host.append(...conversation(25, 5));
    host.setPhase({ kind: 'ready' });
    await page.getByText('1 of 3').waitFor();
  });

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

  it('the header says what a feature tells of the session', async () => {
    const { page, host } = await open({});
    const title = '<b>file</b>: a isn’t there';
    host.setHeader({ facts: [{ icon: 'warning', text: 'MCP <i>servers</i>', title }] });
    const words = page.getByText('MCP <i>servers</i>', { exact: true });
    const fact = page.locator('.header-fact', { has: words });
    await fact.waitFor();
    assert.equal(await fact.getAttribute('title'), title);
    await page.locator('.header-fact .codicon-warning').waitFor();
    host.setHeader({ facts: [{ icon: 'error', text: 'Check failed', title: '', opens: 'check' }] });
    await page.getByRole('button', { name: 'Check failed' }).click();
    assert.deepEqual(await host.sent('openFact'), [{ type: 'openFact', opens: 'check' }]);
  });

  it('V2-NEW-4: the header says what became of the user’s system prompt', async () => {
    const { page, host } = await open({});
    for (const [kind, words] of [
      ['append', 'With your system prompt'],
      ['override', 'With your system prompt only'],
      ['refused', 'Without your system prompt: the agent doesn’t take it'],
    ] as const) {
      host.setHeader({ systemPrompt: { kind, text: 'In <b>French</b>.' } });
      const fact = page.locator('.header-fact', { has: page.getByText(words, { exact: true }) });
      await fact.waitFor();
      assert.equal(await fact.getAttribute('title'), 'In <b>French</b>.');
    }
  });
});
