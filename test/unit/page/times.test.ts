import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript/entries';
import { running } from '../../ui/webview/harness/composing';
import { agent, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('the times of turns', () => {
  const open = useTranscripts();
  const began = new Date(2025, 10, 22, 14, 32, 5).getTime();

  function sent(ended?: number): Entry {
    return {
      ...user('Go'),
      kind: 'user',
      turn: { began, ...(ended !== undefined && { ended }) },
    } as Entry;
  }

  it('says when a turn began and how long it took, and nothing where that is not known', async () => {
    const { page, host } = await open({
      entries: [user('Replayed'), agent('Yes'), sent(), agent('Done')],
    });
    const time = page.locator('.turn-time');
    await time.waitFor();
    assert.equal(await time.count(), 1);
    assert.match(await time.innerText(), /^Nov 22, 2025, 2:32\sPM$/);
    host.replace(2, sent(began + 12_000));
    await time.getByText('12 s', { exact: false }).first().waitFor();
    assert.match((await time.textContent()) ?? '', /2:32\sPM · 12 sThe turn took 12 s$/);
    const title = await time.locator('time').getAttribute('title');
    assert.match(title ?? '', /^Saturday, November 22, 2025 at 2:32:05\sPM$/);
  });

  it('US-5: says how many tokens it took, and of which kind', async () => {
    const usage = { total: 12_345, input: 12_000, output: 300, thought: 40, cachedRead: 5 };
    const turn = { began, ended: began + 12_000, usage };
    const { page } = await open({ entries: [{ ...user('Go'), turn } as Entry] });
    const tokens = page.locator('.turn-time [title^=Input]');
    await tokens.waitFor();
    assert.equal(
      await tokens.getAttribute('title'),
      'Input: 12,000 · Output: 300 · Reasoning: 40 · Read from cache: 5',
    );
    assert.match((await tokens.textContent()) ?? '', /^ · 12.3K tokens12.3K tokens: Input/);
  });

  it('says it in the language of the user', async () => {
    const { page } = await open({ entries: [sent(began + 12_000)], language: 'de' });
    await page.locator('.turn-time').waitFor();
    assert.match(await page.locator('.turn-time').innerText(), /^22\.11\.2025, 14:32 · 12 s/);
  });

  it('counts while a turn runs, unheard, and without a word of the host', async () => {
    const { page, host } = await open({ entries: [user('Go')] });
    page.clock.install({ time: began });
    await page.getByText('Go').waitFor();
    host.setSession({ turn: { ...running, began } });
    await page.getByText('Claude is working…').waitFor();
    const elapsed = page.locator('.turn-elapsed');
    assert.equal(await elapsed.textContent(), '');
    for (const [ms, text] of [
      [3000, '3 s'],
      [62_000, '1 min 5 s'],
    ] as const) {
      await page.clock.runFor(ms);
      await elapsed.getByText(text, { exact: true }).waitFor();
    }
    assert.equal(await elapsed.getAttribute('aria-hidden'), 'true');
    assert.equal(await page.locator('[role=status] .turn-elapsed').count(), 0);
    host.setSession({ turn: { kind: 'idle' } });
    await elapsed.waitFor({ state: 'detached' });
  });
});

describe('the times of messages', () => {
  const open = useTranscripts();
  const seen = new Date(2025, 10, 22, 14, 32, 5).getTime();

  it('are in what a screen reader hears of a message, and in full on the mouse', async () => {
    const thought = { kind: 'thought', blocks: [{ type: 'text', text: 'Hm' }], seen } as Entry;
    const { page } = await open({
      entries: [
        { ...user('Go'), turn: { began: seen } } as Entry,
        thought,
        { ...agent('Done'), seen } as Entry,
        agent('Replayed'),
      ],
    });
    await page.getByText('Replayed').waitFor();
    const labels = await page
      .locator('.row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    const plain = labels.map((label) => label.replaceAll('\u202f', ' '));
    assert.deepEqual(plain, [
      'You, Nov 22, 2025, 2:32 PM',
      'Claude, thought, Nov 22, 2025, 2:32 PM',
      'Claude, Nov 22, 2025, 2:32 PM',
      'Claude',
    ]);
    const time = page.locator('.entry.agent .message-time');
    assert.equal(await time.count(), 1);
    assert.match(
      (await time.getAttribute('title')) ?? '',
      /^Saturday, November 22, 2025 at 2:32:05\sPM$/,
    );
  });

  it('are in the language of the user', async () => {
    const { page } = await open({
      entries: [{ ...agent('Fertig'), seen } as Entry],
      language: 'de',
    });
    await page.locator('.message-time').waitFor();
    assert.equal(await page.locator('.message-time').textContent(), '22.11.2025, 14:32');
  });
});
