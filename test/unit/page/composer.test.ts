import assert from 'node:assert/strict';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { allFields, form } from '../../ui/webview/harness/asking';
import { commands, option, prompt, running, until } from '../../ui/webview/harness/composing';
import { agent, conversation, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('the composer in the transcript', () => {
  const open = useTranscripts();

  it('leaves a field with Escape, the prompt or any other, and stops nothing by that', async () => {
    const { page, host } = await open({
      entries: [user('Hi'), form(1, allFields)],
      session: { turn: running, waiting: [1] },
    });
    await prompt(page).fill('half a sentence');
    await page.keyboard.press('Escape');
    await page.locator('.scroller:focus').waitFor();
    assert.equal(await prompt(page).inputValue(), 'half a sentence');
    await page.getByRole('textbox', { name: /^Name/ }).focus();
    await page.keyboard.press('Escape');
    await page.locator('.row:focus').waitFor();
    assert.equal(await page.getByText('Press Escape again to stop').count(), 0);
    assert.deepEqual(await host.sent('cancelTurn'), []);
  });

  it('leaves the prompt of an empty session with Escape', async () => {
    const { page } = await open();
    await prompt(page).focus();
    await page.keyboard.press('Escape');
    await page.locator('.prompt-input:not(:focus)').waitFor();
  });

  it('sends with Ctrl+Enter where the setting says so; Enter begins a line then', async () => {
    const { page, host } = await open({
      session: { turn: { ...running, began: 1 }, canSteer: true, sendsWithCtrl: true },
    });
    await prompt(page).fill('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    assert.equal(await prompt(page).inputValue(), 'one\ntwo');
    await page.getByRole('button', { name: 'Add to Queue (Ctrl+Enter)' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    await page.keyboard.type('now');
    await page.keyboard.press('Control+Shift+Enter');
    await until(() => host.intentsOf('prompt').length === 2, page);
    const sent = await host.sent('prompt');
    assert.deepEqual(
      sent.map(({ draft, now }) => [draft.text, now]),
      [
        ['one\ntwo', undefined],
        ['now', true],
      ],
    );
  });

  it('leaves the keys of an input method alone', async () => {
    const { page, host } = await open({ session: { turn: running } });
    await prompt(page).fill('にほん');
    await prompt(page).evaluate((target) => {
      for (const key of ['Enter', 'Escape', 'ArrowUp']) {
        // Safari says of the key that has ended a composition only that the input method has handled it.
        for (const by of [{ isComposing: true }, { keyCode: 229 }]) {
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...by }));
        }
      }
    });
    assert.equal(await prompt(page).inputValue(), 'にほん');
    await page.getByRole('button', { name: 'Add to Queue' }).click();
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.deepEqual(await host.sent('cancelTurn'), []);
  });

  it('CA-1: stops the turn with Escape pressed twice, once, and with a button', async () => {
    const { page, host } = await open({ entries: conversation(3), session: { turn: running } });
    await page.getByText('Claude is working…').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.turn-armed', { hasText: 'Press Escape again to stop' }).waitFor();
    assert.equal(await page.locator('.icon-button-armed').count(), 1);
    assert.deepEqual(await host.sent('cancelTurn'), []);
    await page.keyboard.press('Escape');
    await until(() => host.intentsOf('cancelTurn').length === 1, page);
    host.setSession({ turn: { ...running, cancelling: true } });
    await page.getByText('Stopping…').waitFor();
    await page.locator('.turn-armed').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.ok(await page.getByRole('button', { name: /^Stop/ }).isDisabled());
    host.setSession({ turn: running });
    await page.getByText('Claude is working…').waitFor();
    await page.getByRole('button', { name: /^Stop/ }).click();
    await until(() => host.intentsOf('cancelTurn').length === 2, page);
    host.setSession({ turn: { kind: 'idle' } });
    await page.getByText('Claude is working…').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('button', { name: /^Stop/ }).count(), 0);
    assert.equal((await host.sent('cancelTurn')).length, 2);
  });

  it('forgets a press of Escape with the turn that it was meant for, and after some seconds', async () => {
    const { page, host } = await open({
      entries: conversation(3),
      session: { turn: { ...running, began: 1 } },
    });
    page.clock.install();
    await page.getByText('Claude is working…').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.turn-armed').waitFor();
    host.setSession({ turn: { ...running, began: 2 } });
    await page.locator('.turn-armed').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('.turn-armed').waitFor();
    await page.clock.fastForward(5000);
    await page.locator('.turn-armed').waitFor({ state: 'detached' });
    assert.deepEqual(await host.sent('cancelTurn'), []);
  });

  it("CA-11: ends a turn here whose cancel the agent doesn't answer", async () => {
    const { page, host } = await open({
      session: { turn: { kind: 'running', cancelling: true, canForce: true } },
    });
    await page
      .getByText('Claude hasn’t responded to the request to stop.', { exact: false })
      .waitFor();
    await page.getByRole('button', { name: 'End Turn Here' }).click();
    await until(() => host.intentsOf('forceFinish').length === 1, page);
  });

  it('says why nothing can be written, and where the agent waits for an answer', async () => {
    const reason = "Codex can't go on with past sessions.";
    const { page, host } = await open({
      entries: conversation(200),
      session: { writable: { kind: 'no', reason } },
    });
    await page.getByText(reason).waitFor();
    assert.equal(await prompt(page).count(), 0);
    host.setSession({ writable: { kind: 'yes' }, turn: running, waiting: [12, 40] });
    await page.locator('.turn-status').getByText('Claude needs your answer').waitFor();
    await page.getByRole('button', { name: 'Go to Request' }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '12');
  });

  it('what was written can be read and copied where nothing can be sent', async () => {
    const { page, host } = await open({ session: { writable: { kind: 'yes' } } });
    await prompt(page).fill('first line\nsecond line');
    host.setSession({ writable: { kind: 'no', reason: 'Codex no longer has this session.' } });
    const unsent = page.getByRole('textbox', { name: 'Unsent Prompt' });
    await unsent.waitFor();
    assert.equal(await unsent.inputValue(), 'first line\nsecond line');
    assert.equal(await unsent.isEditable(), false);
    await until(
      () => host.intentsOf('draft').at(-1)?.draft.text === 'first line\nsecond line',
      page,
    );
    host.setSession({ writable: { kind: 'yes' } });
    await prompt(page).waitFor();
    assert.equal(await prompt(page).inputValue(), 'first line\nsecond line');
  });

  it('CM-1, CM-2: completes slash commands by keyboard and mouse, with their hint', async () => {
    const { page, host } = await open({ session: { commands } });
    await prompt(page).focus();
    await page.keyboard.type('/');
    await option(page, /compact/).waitFor();
    assert.equal(await option(page, /./).count(), 3);
    assert.match((await option(page, /review/).textContent()) ?? '', /what to look at/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await prompt(page).getAttribute('aria-activedescendant');
    assert.match((await page.locator(`[id="${active}"]`).textContent()) ?? '', /init/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    assert.equal(await prompt(page).inputValue(), '/review ');
    await page.getByText('what to look at').waitFor();
    await page.keyboard.type('the cart');
    await page.getByText('what to look at').waitFor({ state: 'detached' });
    await prompt(page).fill('/');
    await option(page, /init/).click();
    assert.equal(await prompt(page).inputValue(), '/init ');
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.equal((await host.sent('prompt'))[0]?.draft.text, '/init');
  });

  it('CM-2: sends a command that is written out with one Enter; Escape closes the list alone', async () => {
    const hinted = commands.map((command) =>
      command.name === 'compact' ? { ...command, hint: 'instructions' } : command,
    );
    const { page, host } = await open({ session: { commands: hinted, turn: running } });
    await prompt(page).focus();
    await page.keyboard.type('/comp');
    await option(page, /compact/).waitFor();
    await page.keyboard.press('Escape');
    await option(page, /compact/).waitFor({ state: 'detached' });
    assert.deepEqual(await host.sent('cancelTurn'), []);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('x');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('/compact');
    await option(page, /compact/).waitFor();
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.equal((await host.sent('prompt'))[0]?.draft.text, '/compact');
  });

  it('shows prompts that weren’t sent, which only the user can send', async () => {
    const queue = [
      { id: 1, draft: { text: 'Then run the tests', attachments: [] }, held: true },
      { id: 2, draft: { text: 'And commit', attachments: [] } },
    ] as const;
    const { page, host } = await open({ session: { turn: running, queue } });
    const unsent = page.getByRole('region', { name: 'Prompts not sent' });
    await unsent.getByText('1 prompt not sent').waitFor();
    await unsent.getByRole('button', { name: 'Send' }).click();
    await until(() => host.intentsOf('sendQueued').length === 1, page);
    assert.deepEqual(await host.sent('sendQueued'), [{ type: 'sendQueued', id: 1 }]);
    await unsent.getByRole('button', { name: 'Remove' }).click();
    await until(() => host.intentsOf('removeQueued').length === 1, page);
    const waiting = page.getByRole('region', { name: 'Queued prompts' });
    assert.equal(await waiting.getByRole('button', { name: 'Send' }).count(), 0);
  });

  it('keeps the draft and the history of prompts over a reload', async () => {
    const first = await open();
    await prompt(first.page).fill('An older prompt');
    await prompt(first.page).press('Enter');
    await prompt(first.page).fill('half a sentence');
    await first.host.send({
      type: 'attach',
      attachments: [{ type: 'file', uri: 'file:///shop/a.ts', name: 'a.ts' }],
    });
    await until(() => first.host.draft.attachments.length === 1, first.page);
    await until(() => first.host.draft.text === 'half a sentence', first.page);
    const state = await first.state();
    const { page } = await open({ state, draft: first.host.draft });
    await page.getByRole('button', { name: 'Remove a.ts' }).waitFor();
    assert.equal(await prompt(page).inputValue(), 'half a sentence');
    await page.getByRole('button', { name: 'Remove a.ts' }).click();
    await prompt(page).fill('');
    await page.keyboard.press('ArrowUp');
    assert.equal(await prompt(page).inputValue(), 'An older prompt');
    await page.keyboard.press('ArrowDown');
    assert.equal(await prompt(page).inputValue(), '');
    const earlier = state as SavedState;
    const { page: other } = await open({
      state: { ...earlier, saved: { ...earlier.saved, sessionId: 'x' } },
    });
    await prompt(other).press('ArrowUp');
    assert.equal(await prompt(other).inputValue(), '', 'another session’s prompts are its own');
  });

  it('takes the focus at a command of the host', async () => {
    const { page, host } = await open({ entries: conversation(3) });
    await prompt(page).waitFor();
    await host.send({ type: 'command', command: 'focusComposer' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  it("is not drawn again as the agent's words arrive, and keeps text and caret", async () => {
    const { page, host } = await open({ entries: [user('Hi'), agent('Hello')] });
    await prompt(page).focus();
    await page.keyboard.type('x');
    await page.evaluate(() => {
      const changes = { count: 0 };
      Object.assign(globalThis, { changes });
      const composer = document.querySelector('.composer');
      new MutationObserver((records) => {
        changes.count += records.length;
      }).observe(composer as Element, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    });
    for (let at = 0; at < 20; at++) {
      host.append(agent(`Line ${at}`));
      await page.keyboard.type('x');
    }
    await page.getByText('Line 19').waitFor();
    assert.equal(await prompt(page).inputValue(), 'x'.repeat(21));
    const changes = () =>
      page.evaluate(() => (globalThis as unknown as { changes: { count: number } }).changes.count);
    assert.equal(await changes(), 0);
  });

  it('T-93: writes a suggested prompt with Tab or a click, and sends none by that', async () => {
    const suggestedPrompts = ['Run the tests', '<b>Commit</b>\nand push'];
    const { page, host } = await open({ session: { suggestedPrompts } });
    const list = page.getByRole('list', { name: 'Suggested Prompts' });
    await list.getByRole('button', { name: 'Run the tests' }).waitFor();
    await prompt(page).focus();
    await page.keyboard.press('Tab');
    assert.equal(await prompt(page).inputValue(), 'Run the tests');
    await list.waitFor({ state: 'detached' });
    await prompt(page).fill('');
    await list.getByRole('button', { name: '<b>Commit</b>' }).click();
    assert.equal(await prompt(page).inputValue(), suggestedPrompts[1]);
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    assert.deepEqual(await host.sent('prompt'), []);
  });

  it('T-93: hides suggested prompts with Escape, until there are others', async () => {
    const { page, host } = await open({ session: { suggestedPrompts: ['Run the tests'] } });
    const list = page.getByRole('list', { name: 'Suggested Prompts' });
    await list.waitFor();
    await prompt(page).focus();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.prompt-input:focus').count(), 1);
    host.setSession({ suggestedPrompts: ['Commit'] });
    await list.getByRole('button', { name: 'Commit' }).waitFor();
    host.setSession({ suggestedPrompts: [] });
    await list.waitFor({ state: 'detached' });
  });

  it('T-91: marks skills among the commands', async () => {
    const { page } = await open({
      session: {
        commands: [
          { name: 'review', description: 'Reviews', skill: true },
          { name: 'plan', description: 'Plans' },
        ],
      },
    });
    await prompt(page).fill('/');
    await page.getByRole('option', { name: '/review Skill Reviews' }).click();
    assert.equal(await prompt(page).inputValue(), '/review ');
  });
});
