import assert from 'node:assert/strict';
import { prompt, running, until } from '../../ui/webview/harness/composing';
import { useTranscripts } from './harness/transcriptPage';

describe('queued prompts and prompts for the running turn', () => {
  const open = useTranscripts();

  it('T-39: sends a prompt into the running turn, where the agent takes that', async () => {
    const queue = [{ id: 4, draft: { text: 'Then run the tests', attachments: [] } }];
    const { page, host } = await open({
      session: { turn: { ...running, began: 1 }, queue, canSteer: true },
    });
    await page
      .getByRole('listitem')
      .getByRole('button', { name: 'Send Now, into the Running Turn' })
      .click();
    await until(() => host.intentsOf('sendNow').length === 1, page);
    assert.deepEqual(await host.sent('sendNow'), [{ type: 'sendNow', id: 4 }]);
    await prompt(page).fill('this first');
    await prompt(page).press('Control+Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    await prompt(page).fill('and this');
    await page
      .getByRole('button', { name: 'Send Now, into the Running Turn (Ctrl+Enter)' })
      .click();
    await until(() => host.intentsOf('prompt').length === 2, page);
    assert.deepEqual(await host.sent('prompt'), [
      { type: 'prompt', draft: { text: 'this first', attachments: [] }, now: true },
      { type: 'prompt', draft: { text: 'and this', attachments: [] }, now: true },
    ]);
    host.setSession({ canSteer: false });
    await page
      .getByRole('button', { name: /^Send Now/ })
      .first()
      .waitFor({ state: 'detached' });
  });

  it('T-39: says of a prompt what became of it in the turn', async () => {
    const blocks = [{ type: 'text', text: 'other way' }] as const;
    const { page, host } = await open({
      entries: [{ kind: 'user', blocks, steering: 'sending' }],
      session: { turn: running },
    });
    await page.getByText('Sending into the running turn…').waitFor();
    for (const [steering, text] of [
      ['taken', 'Sent into the running turn'],
      ['refused', 'Claude didn’t take it in this turn, so it’s queued.'],
      ['unknown', 'Claude hasn’t said whether it took this.'],
    ] as const) {
      host.replace(0, { kind: 'user', blocks, steering });
      await page.getByText(text).waitFor();
    }
  });

  it('moves queued prompts by mouse and keyboard, and keeps the focus', async () => {
    const prompts = ['one', 'two', 'three'].map((text, index) => ({
      id: index,
      draft: { text, attachments: [] },
    }));
    const { page, host } = await open({ session: { turn: running, queue: prompts } });
    const rows = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem');
    assert.equal(
      await rows
        .first()
        .getByRole('button', { name: /^Move Up/ })
        .isDisabled(),
      true,
    );
    await rows
      .last()
      .getByRole('button', { name: /^Move Up/ })
      .click();
    await until(() => host.intentsOf('moveQueued').length === 1, page);
    const [one, two, three] = prompts;
    host.setSession({ queue: [one!, three!, two!] });
    await page.waitForFunction(
      () => document.activeElement?.closest('li')?.textContent.includes('three') === true,
    );
    await page.getByText('Now at position 2 of 3').waitFor({ state: 'attached' });
    await rows.nth(1).getByText('three').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await until(() => host.intentsOf('moveQueued').length === 2, page);
    host.setSession({ queue: [three!, one!, two!] });
    await page.waitForFunction(() => {
      const label = document.activeElement?.getAttribute('aria-label') ?? '';
      return label.startsWith('Move Down');
    });
    assert.deepEqual(await host.sent('moveQueued'), [
      { type: 'moveQueued', id: 2, to: 1 },
      { type: 'moveQueued', id: 2, to: 0 },
    ]);
  });

  it('PR-5: sends or drops all that waits after Stop, and says so when the turn has ended', async () => {
    const held = ['first', 'then', 'last'].map((text, index) => ({
      id: index + 1,
      draft: { text, attachments: [] },
      held: true as const,
    }));
    const { page, host } = await open({ session: { turn: running, queue: held } });
    const region = page.getByRole('region', { name: 'Prompts not sent' });
    await region.getByText('3 prompts not sent').waitFor();
    host.setSession({ turn: { kind: 'idle' } });
    await page.getByRole('status').getByText('3 prompts not sent').waitFor({ state: 'attached' });
    await region.getByRole('button', { name: 'Send All' }).press('Enter');
    await until(() => host.intentsOf('sendQueued').length === 3, page);
    assert.deepEqual(await host.sent('sendQueued'), [
      { type: 'sendQueued', id: 1 },
      { type: 'sendQueued', id: 2 },
      { type: 'sendQueued', id: 3 },
    ]);
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await region.getByRole('button', { name: 'Remove All' }).press('Enter');
    await until(() => host.intentsOf('removeQueued').length === 3, page);
    host.setSession({ queue: [held[0]!] });
    await region.getByRole('button', { name: 'Send All' }).waitFor({ state: 'detached' });
    await region.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  it('T-40: shows work in the background, which can be stopped, and takes prompts meanwhile', async () => {
    const { page, host } = await open({ session: { turn: { kind: 'background', began: 1 } } });
    await page.getByText('Claude is working in the background…').waitFor();
    await page.getByRole('button', { name: /^Stop/ }).click();
    await until(() => host.intentsOf('cancelTurn').length === 1, page);
    assert.equal(await page.getByRole('button', { name: 'Send (Enter)' }).count(), 1);
  });

  it('T-171: says that the agent has been silent for long, with a way to stop it', async () => {
    const silentSince = new Date(2026, 0, 1, 14, 5).getTime();
    const turn = { kind: 'background', began: 1, silentSince } as const;
    const { page, host } = await open({ session: { turn } });
    const line = page.locator('.turn-line');
    await line.getByText(/^Nothing from Claude since 2:05/).waitFor();
    await line.getByRole('button', { name: 'Stop' }).click();
    await until(() => host.intentsOf('cancelTurn').length === 1, page);
    host.setSession({ turn: { ...turn, kind: 'running', cancelling: true, canForce: false } });
    await page.getByText('Stopping…').waitFor();
  });
});
