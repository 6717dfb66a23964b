import assert from 'node:assert/strict';
import { until } from '../../ui/webview/harness/composing';
import { item } from '../../ui/webview/harness/scenes/glance';
import { useGlance } from './harness/glancePage';

const answers = [
  { optionId: 'once', name: 'Allow once', icon: 'check', isMain: true },
  { optionId: 'no', name: 'Reject', icon: 'circle-slash', isMain: false },
];

describe('all sessions at a glance', () => {
  const open = useGlance();

  it('SEC-31: answers a request there, but not with a click that was meant for what was there before', async () => {
    const view = await open();
    await view.show([
      item('a', {
        group: 'needsAnswer',
        asked: 'npm run deploy',
        request: { requestId: 7, answers },
      }),
    ]);
    const allow = view.page.getByRole('button', { name: 'Allow once' });
    await allow.dispatchEvent('click');
    await view.page.locator('.glance-answers .button[aria-disabled="false"]').first().waitFor();
    assert.deepEqual(view.sent, []);
    await allow.click();
    await until(() => view.sent.length === 1, view.page);
    assert.deepEqual(view.sent, [{ type: 'answer', key: 'a', requestId: 7, optionId: 'once' }]);
  });

  it('doesn’t wait for a pointer that only rests there', async () => {
    const view = await open();
    await view.show([item('a'), item('b')]);
    await view.page.getByText('Session b').waitFor();
    await view.page.locator('.glance-list').hover();
    await view.show([item('b'), item('c')]);
    await view.page.getByText('There is news.', { exact: false }).waitFor();
    await view.page.clock.fastForward(6_000);
    await view.page.getByText('Session c').waitFor();
    const titles = await view.page.locator('.glance-open').allTextContents();
    assert.deepEqual(titles, ['Session b', 'Session c']);
  });

  it('SEC-340: answers all that ask for the same, but not with a click from before another one came', async () => {
    const view = await open();
    const asking = (key: string, requestId: number) =>
      item(key, { group: 'needsAnswer', asked: 'npm test', request: { requestId, answers } });
    const same = (count: number) => ({
      asked: 'npm test',
      requests: Array.from({ length: count }, (_, at) => ({
        ...{ key: `s${at}`, requestId: at, title: `Session s${at}`, where: '' },
        folders: [`It runs in /w/${at}.`],
      })),
    });
    const items = [asking('s0', 0), asking('s1', 1), asking('s2', 2)];
    const card = view.page.getByRole('region', { name: /ask for the same$/ });
    const allow = card.getByRole('button', { name: 'Allow All' });
    const isReady = () =>
      card.locator('.button[aria-disabled="false"]').first().waitFor({ state: 'attached' });
    await view.show(items.slice(0, 2), [same(2)]);
    await card.getByText('It runs in /w/1.').waitFor();
    await allow.dispatchEvent('click');
    await isReady();
    await view.show(items, [same(3)]);
    await card.getByText('It runs in /w/2.').waitFor();
    await allow.dispatchEvent('click');
    assert.deepEqual(view.sent, []);
    await isReady();
    await card.getByRole('button', { name: 'Reject All' }).click();
    const requests = same(3).requests.map(({ key, requestId }) => ({ key, requestId }));
    await until(() => view.sent.length === 1, view.page);
    assert.deepEqual(view.sent, [{ type: 'answerSame', answer: 'reject_once', requests }]);
  });

  it('V2-TURN-12: lists what runs in the background with its last line, leads there, and stops it', async () => {
    const view = await open();
    const task = { key: 'a', kind: 'terminal', session: 'Session a', canStop: true } as const;
    const build = { ...task, id: 'terminal 1', title: 'npm run watch', line: 'Built in 3 s' };
    await view.show([], [], [build]);
    const section = view.page.getByRole('region', { name: /^In the background/ });
    await section.getByText('Built in 3 s').waitFor();
    assert.equal(await view.page.getByText('Nothing needs you.', { exact: false }).count(), 0);
    await section.getByRole('button', { name: 'npm run watch', exact: true }).click();
    await section.getByRole('button', { name: 'Stop npm run watch' }).click();
    await until(() => view.sent.length === 2, view.page);
    assert.deepEqual(view.sent, [
      { type: 'openTask', key: 'a', id: 'terminal 1' },
      { type: 'stopTask', key: 'a', id: 'terminal 1' },
    ]);
    await view.show([], [], [{ ...build, stop: 'asked' }]);
    await section.getByText('Stopping…').waitFor();
  });

  it('says what has happened since the user left, leads there, and can be dismissed', async () => {
    const view = await open();
    const counts = [
      { kind: 'asks', count: 1 },
      { kind: 'finished', count: 2 },
    ] as const;
    await view.show([item('a')], [], [], { since: Date.now(), counts });
    const news = view.page.getByRole('region', { name: /^Since you left at / });
    await news.getByRole('button', { name: '1 asks' }).waitFor();
    await news.getByRole('button', { name: '2 finished' }).click();
    await news.getByRole('button', { name: 'Dismiss' }).click();
    await until(() => view.sent.length === 2, view.page);
    assert.deepEqual(view.sent, [{ type: 'openNews', kind: 'finished' }, { type: 'seeNews' }]);
  });

  it('SEC-31: answers nothing with a click from before the news that moved the buttons', async () => {
    const view = await open();
    const asks = item('a', {
      ...{ group: 'needsAnswer', asked: 'npm test', request: { requestId: 7, answers } },
    });
    await view.show([asks]);
    const ready = view.page.locator('.glance-answers .button[aria-disabled="false"]').first();
    await ready.waitFor();
    const counts = [{ kind: 'finished', count: 1 }] as const;
    await view.show([asks], [], [], { since: Date.now(), counts });
    await view.page.getByRole('button', { name: '1 finished' }).waitFor();
    await view.page.getByRole('button', { name: 'Allow once' }).dispatchEvent('click');
    await ready.waitFor();
    assert.deepEqual(view.sent, []);
  });
});
