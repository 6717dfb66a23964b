import assert from 'node:assert/strict';
import type { GlanceItem, GlanceSame } from '../../../src/shared/glance/glance';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { until } from './harness/composing';
import { type GlancePage, useGlance } from './harness/glancePage';
import { item } from './harness/scenes/glance';
import { allThemes, pictures } from './harness/transcriptPage';

const now = Date.now();
const minutes = (count: number): number => now - count * 60_000 - 5_000;

const answers = [
  { optionId: 'once', name: 'Allow once', icon: 'check', isMain: true },
  { optionId: 'always', name: 'Always allow in this session', icon: 'check-all', isMain: false },
  { optionId: 'no', name: 'Reject', icon: 'circle-slash', isMain: false },
];

function asking(key: string, requestId = 1): GlanceItem {
  const asked = 'npm run deploy -- --env staging';
  return item(key, { group: 'needsAnswer', asked, request: { requestId, answers } });
}

const five: readonly GlanceItem[] = [
  {
    ...asking('ask'),
    title: 'Deploy the payment service to staging',
    where: 'Claude · release/2.4',
    since: minutes(3),
    asker: 'Check the staging server (subagent of Claude)',
    said: 'To put this on the staging server I would have to run a command.',
  },
  item('cart', {
    title: 'Round the cart’s totals to cents',
    where: 'Codex · fix/cart',
    since: minutes(12),
    doing: 'npm test -- --grep cart',
    said: 'The totals are summed as floats; I’ll change them to integers.',
  }),
  item('search', {
    title: 'Search: rank titles before bodies',
    where: 'Claude',
    since: now - 21_000,
    doing: 'Thinking…',
    said: 'I’ll look at how the index weighs its fields first.',
  }),
  item('docs', {
    ...{ group: 'done', title: 'Write the guide for new agents', where: 'Claude', canStop: false },
    ...{ since: minutes(47), toReview: 3, said: 'The guide is in docs/agents.md.' },
    doing: undefined as never,
  }),
  item('nightly', {
    ...{ group: 'review', title: 'Nightly backup: check the checksums', canStop: false },
    ...{ where: 'Codex', toReview: 1, since: minutes(60 * 26), said: 'Both checks pass.' },
    doing: undefined as never,
  }),
];
const tasks = [
  'Retry failed webhooks',
  'Translate the invoice',
  'Cache the product images',
  'Remove the old theme',
  'Type the settings',
  'Split the upload job',
  'Fix the flaky login test',
];
const twelve: readonly GlanceItem[] = [
  ...five.slice(0, 3),
  ...tasks.map((title, index) =>
    item(`more-${index}`, { title, where: index % 2 ? 'Codex' : 'Claude', since: minutes(index) }),
  ),
  ...five.slice(3),
];
const same: GlanceSame = {
  asked: 'npm run deploy -- --env staging',
  requests: [
    { key: 'ask', requestId: 1, title: 'Deploy the payment service to staging', folders: [] },
    { key: 'two', requestId: 2, title: 'Deploy the shop', folders: ['It runs in /work/shop-2.'] },
  ].map((request) => ({ ...request, where: 'Claude · release/2.4' })),
};
const scenes = { one: five.slice(1, 2), five, twelve };

describe('all sessions at a glance', () => {
  const open = useGlance();

  const titles = ({ page }: GlancePage): Promise<string[]> =>
    page.locator('.glance-open').allTextContents();

  /** The pointer is over the list, and the page has noticed. */
  async function hover({ page }: GlancePage): Promise<void> {
    await page.mouse.move(100, 60);
    await page.mouse.move(120, 64);
  }

  it('shows in groups what each session needs, does and has said', async () => {
    const view = await open();
    await view.show(five);
    const { page } = view;
    await page.getByRole('region', { name: /^Needs an answer/ }).waitFor();
    const groups = await page.locator('h2').allTextContents();
    assert.deepEqual(groups, [
      'Needs an answer 1',
      'Running 2',
      'Done, not read yet 1',
      'To review 1',
    ]);
    const ask = page.getByRole('listitem').filter({ hasText: 'Deploy the payment' });
    assert.match((await ask.textContent()) ?? '', /server \(subagent of Claude\)npm run deploy/);
    const cart = page.getByRole('listitem').filter({ hasText: 'Round the cart' });
    assert.match(
      (await cart.textContent()) ?? '',
      /fix\/cart.*12 min.*--grep cart.*summed as floats/,
    );
    await page.getByRole('button', { name: 'Review 3 files' }).click();
    await page.getByRole('button', { name: 'Stop “Round the cart’s totals to cents”' }).click();
    const said = await cart.getByText('summed as floats').boundingBox();
    await page.mouse.click((said?.x ?? 0) + 20, (said?.y ?? 0) + 5);
    await page.getByRole('button', { name: 'Nightly backup' }).focus();
    await page.keyboard.press('Enter');
    await until(() => view.sent.length === 4, page);
    assert.deepEqual(view.sent, [
      { type: 'review', key: 'docs' },
      { type: 'stop', key: 'cart' },
      { type: 'open', key: 'cart' },
      { type: 'open', key: 'nightly' },
    ]);
    assert.deepEqual(view.errors, []);
  });

  it('says what the view is for while nothing goes on, and begins a session', async () => {
    const view = await open();
    await view.show([]);
    await view.page.getByText('Nothing needs you.', { exact: false }).waitFor();
    await view.page.getByRole('button', { name: 'New Session' }).click();
    await until(() => view.sent.length === 1, view.page);
    assert.deepEqual(view.sent, [{ type: 'newSession' }]);
    await screenshot(view.page, 'glance-none');
  });

  it('moves nothing while the pointer is over it, and shows the news when it leaves', async () => {
    const view = await open();
    const { page } = view;
    await view.show([item('a'), item('b'), item('c')]);
    await page.getByText('Session c').waitFor();
    await hover(view);
    const place = async (name: string): Promise<unknown> => {
      const { x, y, height } = (await page.getByText(name).boundingBox()) ?? {};
      return [x, y, height];
    };
    const before = [await place('Session b'), await place('Session c')];
    await view.show([asking('c'), item('b', { doing: 'git status' }), item('d')]);
    await page.getByText('git status').waitFor();
    await page.getByText('There is news.', { exact: false }).waitFor();
    assert.deepEqual(await titles(view), ['Session a', 'Session b', 'Session c']);
    assert.deepEqual([await place('Session b'), await place('Session c')], before);
    assert.equal(await page.getByRole('button', { name: 'Stop “Session c”' }).count(), 0);
    await page.evaluate(() =>
      document.querySelector('.glance-list')?.dispatchEvent(new PointerEvent('pointerleave')),
    );
    await page.getByText('There is news.', { exact: false }).waitFor({ state: 'detached' });
    assert.deepEqual(await titles(view), ['Session c', 'Session b', 'Session d']);
  });

  it('is plain text, whatever agents send', async () => {
    const view = await open({ viewport: { width: 180, height: 400 } });
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await view.show([
      item('a', { title: evil, doing: evil, said: evil, where: evil }),
      { ...asking('b'), asked: `${evil}${'x'.repeat(500)}`, title: 'y'.repeat(500) },
    ]);
    await view.page.getByText('<img src=x').first().waitFor();
    assert.equal(await view.page.locator('img, script:not([src]):not([nonce])').count(), 0);
    const overflows = await view.page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(overflows, false);
    assert.deepEqual(view.errors, []);
  });

  it('is drawn at most once a frame, however often the host speaks', async () => {
    const view = await open();
    await view.show(twelve);
    await view.page.getByText('Fix the flaky login test').waitFor();
    const most = await view.page.evaluate(async (items) => {
      let draws = 0;
      let frames = 0;
      const list = document.querySelector('.glance-list');
      const observer = new MutationObserver((changes) => {
        // The elapsed times count by themselves.
        draws += changes.some(({ target }) => !target.parentElement?.closest('time')) ? 1 : 0;
      });
      observer.observe(list!, { subtree: true, childList: true, characterData: true });
      for (let round = 0; round < 60; round++) {
        for (let count = 0; count < 20; count++) {
          const changed = items.map((one) => ({ ...one, doing: `Step ${round}.${count}` }));
          window.postMessage({ type: 'items', items: changed, same: [], tasks: [], left: 0 });
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
        frames++;
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      // Each delivery may be drawn at once after a pause, and the last one comes after the last frame.
      return draws - frames;
    }, twelve);
    assert.ok(most <= 2, `${most} more than there were frames`);
  });

  for (const [name, items] of Object.entries(scenes)) {
    it(`looks right with ${name}, in each theme`, async () => {
      const view = await open({ viewport: { width: 280, height: name === 'twelve' ? 1000 : 640 } });
      await view.show(items, name === 'twelve' ? 3 : 0, name === 'five' ? [same] : []);
      await view.page.getByText('Round the cart').waitFor();
      if (name !== 'one') {
        await view.page.locator('.glance-answers .button[aria-disabled="false"]').first().waitFor();
      }
      assert.deepEqual(await violations(view.page), []);
      await pictures(view.page, `glance-${name}`, allThemes);
    });
  }

  it('speaks German', async () => {
    const view = await open({ language: 'de' });
    await view.show(five);
    await view.page.getByRole('heading', { name: /^Braucht eine Antwort/ }).waitFor();
    await screenshot(view.page, 'glance-german');
  });
});
