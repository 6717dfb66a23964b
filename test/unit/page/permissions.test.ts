import assert from 'node:assert/strict';
import { fourOptions, permission } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { agent, toolCall, user } from '../../ui/webview/harness/entries';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

const card = (page: Page): Locator => page.locator('.card');
const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

async function whenReady(page: Page, name: string): Promise<Locator> {
  await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
  return button(page, name);
}

describe('permissions', () => {
  const open = useTranscripts();

  it('PE-2, PE-3: the options stand in the agent’s order, and the chosen one is answered', async () => {
    const { page, host } = await open({
      entries: [user('Go'), permission(7)],
      session: { waiting: [1] },
    });
    await card(page).waitFor();
    const names = await page.locator('.card-choices bdi').allTextContents();
    assert.deepEqual(
      names,
      fourOptions.map(({ name }) => name),
    );
    const look = async (name: string): Promise<string | null> =>
      page.locator('.card-choices .button', { hasText: name }).getAttribute('class');
    assert.equal(await look('Ask me later'), 'button button-neutral');
    assert.equal(await look('Reject'), 'button button-secondary');
    await (await whenReady(page, 'Ask me later')).click();
    await until(() => host.intentsOf('answerPermission').length === 1, page);
    assert.deepEqual(await host.sent('answerPermission'), [
      { type: 'answerPermission', requestId: 7, optionId: 'other' },
    ]);
    assert.equal(await page.locator('.card-choices [aria-disabled=false]').count(), 0, 'once only');
  });

  it('PE-9, SEC-4: what an option does is shown beside its name, whatever the agent calls it', async () => {
    const options = (['allow_always', 'reject_once', 'allow_once'] as const).map((kind) => ({
      ...{ optionId: kind, name: kind === 'allow_always' ? 'Reject' : 'OK', kind },
    }));
    const { page } = await open({
      entries: [
        permission(
          1,
          {
            toolKind: 'execute',
            rawInput: { command: 'ls', cwd: '/etc', env: { LD_PRELOAD: 'x' } },
          },
          { options },
        ),
      ],
      session: { waiting: [0] },
    });
    await card(page).getByText('It sets LD_PRELOAD=x.').waitFor();
    await card(page).getByText('It runs in /etc.').waitFor();
    const shown = await page
      .locator('.card-choices .button')
      .evaluateAll((buttons) =>
        buttons.map((each) => [
          each.textContent,
          each.getAttribute('title'),
          each.querySelector('.codicon')?.className,
        ]),
      );
    assert.deepEqual(shown, [
      ['Reject2', 'Always allows it', 'codicon codicon-check-all'],
      ['OK3', 'Rejects it', 'codicon codicon-circle-slash'],
      ['OK1', 'Allows it once', 'codicon codicon-check'],
    ]);
  });

  it('PE-2: a change is shown line by line; omitted parts are named and can be opened', async () => {
    const lines = Array.from({ length: 3500 }, (_, line) => `line ${line}\n`).join('');
    const diff = (path: string, newText: string) =>
      ({ type: 'diff', path: `/project/shop/${path}`, oldText: null, newText }) as const;
    const { page, host } = await open({
      entries: [
        permission(1, {
          toolKind: 'edit',
          content: [diff('a.ts', lines.slice(0, 600)), diff('b.ts', lines)],
        }),
      ],
      session: { waiting: [0] },
    });
    const [small, large] = [0, 1].map((at) => card(page).locator('.diff').nth(at));
    await small!.locator('.diff-line-added', { hasText: 'line 60' }).first().waitFor();
    assert.equal(await small!.locator('.diff-note').count(), 0);
    await large!.getByText('only part of the change').waitFor();
    await large!.getByRole('button', { name: 'Show the whole change' }).click();
    assert.deepEqual(await host.sent('openDiff'), [{ type: 'openDiff', index: 0, content: 1 }]);
  });

  it('PE-9: titles, names and commands are text, and what can’t be seen is named', async () => {
    const title = '[Safe](https://evil.example) **list**\n<b>files</b> \u202eexe.fdp';
    const { page, errors } = await open({
      entries: [
        permission(
          1,
          { title, rawInput: { command: 'ls\u200b -la \u2066x\u2069' } },
          { options: [{ optionId: 'a', name: '<i>Al\u202elow</i>', kind: 'allow_once' }] },
        ),
      ],
      session: { waiting: [0] },
    });
    const subject = card(page).locator('.card-subject');
    await subject.waitFor();
    assert.equal(
      await subject.textContent(),
      '[Safe](https://evil.example) **list**\n<b>files</b> ⟨U+202E⟩exe.fdp',
    );
    assert.equal(
      (await card(page).locator('.command pre').textContent())?.trim(),
      'ls⟨U+200B⟩ -la ⟨U+2066⟩x⟨U+2069⟩',
    );
    assert.equal(await page.locator('.card-choices bdi').textContent(), '<i>Al⟨U+202E⟩low</i>');
    assert.equal(await card(page).locator('b, i, [role="link"], a').count(), 0);
    assert.deepEqual(errors, []);
  });

  it('PE-9: what can’t be seen in a path is named, too', async () => {
    const path = '/project/\u202egnp.sh';
    const { page } = await open({
      entries: [
        permission(1, {
          toolKind: 'edit',
          content: [{ type: 'diff', path, oldText: 'a', newText: 'b' }],
          locations: [{ path: '/project/a\u200bb.ts' }],
        }),
      ],
      session: { waiting: [0] },
    });
    await card(page).getByText('⟨U+202E⟩gnp.sh').waitFor();
    await card(page).getByText('a⟨U+200B⟩b.ts').waitFor();
  });

  it('PE-2: digits choose while the card has the focus, and not while a prompt is typed', async () => {
    const { page, host } = await open({
      entries: [user('Go'), permission(1)],
      session: { waiting: [1] },
    });
    await whenReady(page, 'Allow');
    await page.getByRole('textbox', { name: 'Prompt' }).focus();
    await page.keyboard.type('1234');
    await page.locator('[data-index="1"]').focus();
    assert.deepEqual(await host.sent('answerPermission'), []);
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    await page.keyboard.press('9');
    await page.keyboard.press('4');
    await page.keyboard.press('Control+2');
    await page.keyboard.press('3');
    await until(() => host.intentsOf('answerPermission').length === 1, page);
    assert.equal((await host.sent('answerPermission'))[0]?.optionId, 'no');
  });

  it('PE-8: several requests are answered one by one, the oldest first', async () => {
    const { page, host } = await open({
      entries: [permission(1), permission(2), permission(3)],
      session: { waiting: [0, 1, 2] },
    });
    for (const id of [1, 2, 3]) {
      await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
      assert.equal(await page.locator('.card-choices').count(), 1);
      if (id < 3) {
        await page.getByText(`1 of ${4 - id}`).waitFor();
      }
      await page.keyboard.press('Tab');
      await button(page, 'Allow').click();
      await until(() => host.intentsOf('answerPermission').length === id, page);
      const { kind, requestId, toolCall: call, options } = permission(id);
      host.replace(id - 1, {
        ...{ kind, requestId, toolCall: call, options },
        state: { kind: 'selected', optionId: 'once', by: 'person' },
      });
      host.setSession({ waiting: [0, 1, 2].slice(id) });
    }
    assert.deepEqual(
      (await host.sent('answerPermission')).map(({ requestId }) => requestId),
      [1, 2, 3],
    );
    await page.getByText('Allowed once by you').nth(2).waitFor();
  });

  it('PE-4, PE-5, PE-7: what became of a request stays as one line that opens', async () => {
    const selected = (optionId: string, by: 'person' | 'rule') =>
      ({ kind: 'selected', optionId, by }) as const;
    const { page } = await open({
      entries: [
        permission(
          1,
          { rawInput: { command: 'make all' } },
          { state: selected('always', 'person') },
        ),
        permission(2, {}, { state: selected('no', 'rule') }),
        permission(3, {}, { state: selected('other', 'person') }),
        permission(4, {}, { state: { kind: 'cancelled' } }),
      ],
    });
    for (const text of [
      'Always allowed by you',
      'Rejected by your rule',
      'Answered by you',
      'Canceled',
    ]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    assert.equal(await page.locator('.card-choices').count(), 0);
    await page.getByText('Always allowed by you').click();
    await page.getByText('make all').waitFor();
    await page.getByText('Answer: Always allow npm').waitFor();
  });

  it('PE-7: Escape on a card asks the agent to stop, and answers nothing', async () => {
    const { page, host } = await open({
      entries: [permission(1)],
      session: { waiting: [0], turn: { kind: 'running', cancelling: false, canForce: false } },
    });
    await (await whenReady(page, 'Allow')).focus();
    await page.keyboard.press('Escape');
    await page.locator('.turn-armed').waitFor();
    await page.keyboard.press('Escape');
    await until(() => host.intentsOf('cancelTurn').length === 1, page);
    assert.deepEqual(await host.sent('answerPermission'), []);
  });

  it('are announced at once, and the end of a turn politely', async () => {
    const { page, host } = await open({
      entries: [user('Go')],
      session: { turn: { kind: 'running', cancelling: false, canForce: false } },
    });
    await page.getByText('Go', { exact: true }).waitFor();
    host.append(permission(1, { title: 'npm test' }));
    host.setSession({ waiting: [1] });
    await page
      .getByRole('alert')
      .getByText('Claude asks for permission: npm test')
      .waitFor({ state: 'attached' });
    host.setSession({ waiting: [], turn: { kind: 'idle' } });
    await page
      .getByRole('status')
      .getByText('The turn of Claude has ended')
      .waitFor({ state: 'attached' });
  });

  it('PR-6, PR-7: the end of a turn is described in words, and dropped entries are dimmed', async () => {
    const failure = {
      code: 'exited',
      title: 'Claude has stopped',
      detail: 'Its process ended in the middle of the turn.',
      actions: ['retry', 'showLog'],
    } as const;
    const stopped = (stopReason: string) =>
      ({ kind: 'turn', outcome: { type: 'stopped', stopReason } }) as const;
    const { page, host } = await open({
      entries: [
        { kind: 'user', blocks: [{ type: 'text', text: 'Something bad' }], dropped: true },
        toolCall({ title: 'A dropped call', dropped: true }),
        ...[
          ...['refusal', 'max_tokens', 'max_turn_requests', 'cancelled', 'out\u200b_of_luck'],
          'end_turn',
        ].map(stopped),
        agent('More'),
        { kind: 'turn', outcome: { type: 'failed', failure, canResend: true } },
      ],
    });
    for (const text of [
      'The agent refused, and dropped',
      'The answer reached the model’s limit',
      'The turn reached the limit of model requests',
      'Stopped by you',
      'Claude ended the turn without an answer',
      'The turn ended: out⟨U+200B⟩_of_luck',
      'Its process ended in the middle of the turn.',
    ]) {
      await page.getByText(text).waitFor();
    }
    assert.equal(await page.locator('.dropped').count(), 2);
    assert.equal(
      await page.locator('.dropped').getByText('The agent has dropped this').count(),
      2,
      'for screen readers',
    );
    await button(page, 'Send Again').click();
    await button(page, 'Show Log').click();
    await until(() => host.intentsOf('action').length === 1, page);
    assert.deepEqual(await host.sent('sendAgain'), [{ type: 'sendAgain', index: 9 }]);
    assert.equal(await button(page, 'Retry').count(), 0);
  });

  it('PR-6: a turn without an answer says whose it was, and offers what helps', async () => {
    const outcome = { type: 'stopped', stopReason: 'end_turn', canResend: true } as const;
    const { page, host } = await open({ entries: [user('Go'), { kind: 'turn', outcome }] });
    await page.getByText('Claude ended the turn without an answer').waitFor();
    for (const name of ['Send Again', 'Show Log', 'Diagnose']) {
      await button(page, name).click();
    }
    await until(() => host.intentsOf('action').length === 2, page);
    assert.deepEqual(await host.sent('sendAgain'), [{ type: 'sendAgain', index: 1 }]);
    assert.deepEqual(await host.sent('action'), [
      { type: 'action', action: 'showLog' },
      { type: 'action', action: 'diagnose' },
    ]);
  });

  it('NO-1, NO-2, NO-3: notices stand above the composer until they are dismissed', async () => {
    const { page, host } = await open({ entries: [user('Go')] });
    await page.getByText('Go', { exact: true }).waitFor();
    for (const [severity, title] of [
      ['info', 'Saved'],
      ['warning', 'Slow <b>today</b>'],
      ['dire', 'Strange\u202e'],
    ] as const) {
      await host.send({ type: 'notice', severity, title, description: `About ${title}` });
    }
    const banners = page.locator('.banner');
    await banners.nth(2).waitFor();
    await banners.getByText('About Slow <b>today</b>').waitFor();
    await banners.getByText('About Strange⟨U+202E⟩').waitFor();
    const icons = await page
      .locator('.banner .notice-icon')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('class') ?? ''));
    assert.deepEqual(
      icons.map((name) => /codicon-(\w+) /.exec(name)?.[1]),
      ['info', 'warning', 'bell'],
    );
    await page.getByRole('button', { name: 'Dismiss Notice' }).first().click();
    await page.getByText('About Saved').waitFor({ state: 'detached' });
    assert.equal(await page.locator('article').count(), 1, 'no part of the history');
  });

  it('RES-6: a session without its history says so, and a new one how to begin', async () => {
    const { page, host } = await open({ phase: { kind: 'resumed' } });
    await page.getByText('keeps the history of this session, but doesn’t show it').waitFor();
    host.setPhase({ kind: 'ready' });
    await page.getByText('Tell Claude below what to do').waitFor();
    host.append(user('Go'));
    await page.locator('.notice').waitFor({ state: 'detached' });
  });

  it('TE-9: a terminal of ours follows its output, says how it ended and opens as a terminal', async () => {
    const running = (text: string) =>
      toolCall({
        toolKind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: 't1' }],
        terminalOutput: new Map([['t1', text]]),
        terminals: new Map([['t1', { kind: 'running' }]]),
      });
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, line) => `line ${line}\n`).join('');
    const { page, host } = await open({ entries: [running(lines(30))] });
    await page.getByText('line 29').waitFor();
    await page.locator('.terminal-state', { hasText: 'Running' }).waitFor();
    host.replace(0, running(lines(6000)));
    await page.getByText('line 5999').waitFor();
    assert.equal(await page.getByText('line 29', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Open in Terminal' }).click();
    await until(() => host.intentsOf('openTerminal').length === 1, page);
    assert.equal((await host.sent('openTerminal'))[0]?.terminalId, 't1');
    for (const [exitCode, signal, text] of [
      [0, null, 'Exit code 0'],
      [null, 'SIGTERM', 'Ended by signal SIGTERM'],
    ] as const) {
      const state = { kind: 'exited', exitCode, signal } as const;
      host.replace(0, { ...running('end'), terminals: new Map([['t1', state]]) });
      await page.locator('.terminal-state', { hasText: text }).waitFor();
    }
  });
});
