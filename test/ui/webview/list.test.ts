import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { agent, conversation, toolCall, user } from './harness/entries';
import { saved, useTranscripts } from './harness/transcriptPage';

declare function savedState(): SavedState;
declare const early: { readonly messages: readonly unknown[] };

const list = '.scroller';

/** Pixels below the viewport. */
function distanceFromEnd(page: Page): Promise<number> {
  return page
    .locator(list)
    .evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

function row(page: Page, index: number) {
  return page.locator(`[data-index="${index}"]`);
}

/** A row's position on the screen. */
async function topOf(page: Page, index: number): Promise<number> {
  return row(page, index).evaluate((element) => element.getBoundingClientRect().top);
}

/** The first row that is at least partly visible. */
function firstVisible(page: Page): Promise<number> {
  return page.locator(list).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll<HTMLElement>('[data-index]')];
    const seen = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top + 1);
    return Number(seen?.dataset['index']);
  });
}

async function scrollTo(page: Page, part: number): Promise<void> {
  await page.locator(list).evaluate((element, share) => {
    element.scrollTop = element.scrollHeight * share;
  }, part);
}

/** Scrolls the list by mouse wheel and waits until it has come to rest. */
async function wheel(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(400, 400);
  await page.locator(list).evaluate((element) => {
    Object.assign(globalThis, {
      rested: new Promise<void>((resolve) => {
        element.addEventListener('scrollend', () => resolve(), { once: true });
      }),
    });
  });
  await page.mouse.wheel(0, pixels);
  await page.evaluate(() => (globalThis as unknown as { rested: Promise<void> }).rested);
}

/** Waits until the viewport shows entries rather than placeholders. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[data-index]') !== null &&
      document.querySelector('.placeholder') === null,
  );
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );
}

/** The place that the page has saved; rows are measured as they appear, and it changes until the layout is stable. */
async function savedPlace(page: Page): Promise<{ index: number; top: number }> {
  const place = await page.waitForFunction((selector) => {
    const { anchor } = savedState();
    const scroller = document.querySelector(selector);
    if (!scroller || anchor === 'end') {
      return undefined;
    }
    const fold = scroller.getBoundingClientRect().top;
    const row = scroller.querySelector(`[data-index="${anchor.index}"]`);
    const top = row?.getBoundingClientRect().top ?? Infinity;
    return Math.round(fold - top) === anchor.offset ? { index: anchor.index, top } : undefined;
  }, list);
  return (await place.jsonValue()) ?? assert.fail('no place');
}

describe('the list of entries', () => {
  const open = useTranscripts();

  it('opens 100,000 entries at the newest one, and holds only those near it', async () => {
    const { page, host, errors } = await open({ entries: conversation(100_000) });
    await page.getByText('Answer 99999').waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
    assert.ok((await page.locator('*').count()) < 2500);
    for (const { start, end } of await host.sent('window')) {
      assert.ok(end - start <= 300);
    }
    assert.equal(await row(page, 99_999).getAttribute('aria-posinset'), '100000');
    assert.equal(await row(page, 99_999).getAttribute('aria-setsize'), '100000');
    assert.deepEqual(errors, []);
    assert.deepEqual(host.refused, []);
  });

  it('shows placeholders until the host has sent the rows that were scrolled to', async () => {
    const { page, host } = await open({ entries: conversation(100_000) });
    await page.getByText('Answer 99999').waitFor();
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const placeholders = document.querySelectorAll('.row[aria-busy="true"]').length;
        if (placeholders > 0) {
          observer.disconnect();
          document.body.dataset['held'] = String(placeholders);
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
    await scrollTo(page, 0.5);
    await page.locator('body[data-held]').waitFor();
    await settle(page);
    const first = await firstVisible(page);
    assert.ok(first > 1000 && first < 99_000, String(first));
    const window = (await host.sent('window')).at(-1);
    assert.ok(window && !window.follow && window.start < first && window.end > first);
    assert.ok(window.end - window.start <= 300);
  });

  it('keeps the text in the viewport in place while rows above it get their real heights', async () => {
    const { page } = await open({ entries: conversation(2000) });
    await page.getByText('Answer 1999').waitFor();
    await scrollTo(page, 0.6);
    await settle(page);
    for (let step = 0; step < 20; step++) {
      const index = (await firstVisible(page)) + 1;
      const before = { top: await topOf(page, index), row: index };
      await wheel(page, -150);
      await settle(page);
      const moved = (await topOf(page, before.row)) - before.top;
      assert.ok(Math.abs(moved - 150) <= 2, `step ${step}: row ${index} moved by ${moved}`);
    }
  });

  it('follows new entries and growing ones while at the end', async () => {
    const { page, host } = await open({ entries: conversation(50) });
    await page.getByText('Answer 49').waitFor();
    for (let index = 50; index < 80; index++) {
      host.append(...conversation(1, index));
    }
    await page.getByText('Answer 79').waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
    for (let length = 1; length <= 40; length++) {
      host.replace(79, agent(`Answer 79\n\n${'It goes on and on.\n\n'.repeat(length)}`));
    }
    await page.getByText('It goes on and on.').nth(39).waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
    assert.equal(await page.getByRole('button', { name: /Jump to latest/ }).count(), 0);
  });

  it('doesn’t move while a row is pressed, and follows again after the click', async () => {
    const { page, host } = await open({
      entries: [
        ...conversation(50),
        toolCall({ toolKind: 'edit', locations: [{ path: '/project/shop/src/a.ts' }] }),
      ],
    });
    const file = page.getByRole('button', { name: 'src/a.ts', exact: true });
    const place = () => file.evaluate((element) => element.getBoundingClientRect().top);
    await file.hover();
    await settle(page);
    const before = await place();
    await page.mouse.down();
    host.append(...conversation(29, 51));
    await page.locator('[aria-setsize="80"]').first().waitFor();
    await settle(page);
    assert.equal(await place(), before);
    await page.mouse.up();
    assert.equal((await host.sent('openLocation')).length, 1);
    await page.getByText('Answer 79').waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
  });

  it('stays in place and counts new entries once scrolled up', async () => {
    const { page, host } = await open({ entries: conversation(200) });
    await page.getByText('Answer 199').waitFor();
    await wheel(page, -600);
    const jump = page.getByRole('button', { name: /Jump to latest/ });
    await jump.waitFor();
    await settle(page);
    const index = (await firstVisible(page)) + 1;
    const top = await topOf(page, index);
    host.append(...conversation(30, 200));
    await page.getByRole('button', { name: 'Jump to latest 30 new' }).waitFor();
    assert.equal(await topOf(page, index), top);
    await jump.click();
    await page.getByText('Answer 229').waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
    assert.equal(await jump.count(), 0);
    host.append(user('One more'));
    await page.getByText('One more').waitFor();
    assert.ok((await distanceFromEnd(page)) <= 2);
  });

  it('follows again after scrolling back to the end', async () => {
    const { page, host } = await open({ entries: conversation(200) });
    await page.getByText('Answer 199').waitFor();
    await wheel(page, -400);
    const jump = page.getByRole('button', { name: /Jump to latest/ });
    await jump.waitFor();
    await wheel(page, 2000);
    await jump.waitFor({ state: 'detached' });
    host.append(user('One more'));
    await page.getByText('One more').waitFor();
    assert.ok((await distanceFromEnd(page)) <= 2);
  });

  it('stays at the newest entry while a long replay comes in', async () => {
    const { page, host, errors } = await open({ phase: { kind: 'loading', received: 0 } });
    await page.getByText('Waiting for the agent…').waitFor();
    const all = conversation(20_000);
    for (let from = 0; from < all.length; from += 500) {
      host.append(...all.slice(from, from + 500));
      host.setPhase({ kind: 'loading', received: from + 500 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    host.setPhase({ kind: 'ready' });
    await page.getByText('Answer 19999').waitFor();
    await settle(page);
    assert.ok((await distanceFromEnd(page)) <= 2);
    assert.deepEqual(errors, []);
  });

  it('can be read while the replay goes on', async () => {
    const { page, host } = await open({
      phase: { kind: 'loading', received: 400 },
      entries: conversation(400),
    });
    await page.getByText('Answer 399').waitFor();
    await wheel(page, -1500);
    await page.getByRole('button', { name: /Jump to latest/ }).waitFor();
    await settle(page);
    const index = (await firstVisible(page)) + 1;
    const top = await topOf(page, index);
    for (let from = 400; from < 4000; from += 100) {
      host.append(...conversation(100, from));
      host.setPhase({ kind: 'loading', received: from });
    }
    host.setPhase({ kind: 'ready' });
    await page.getByRole('button', { name: /Jump to latest 3,6\d\d new/ }).waitFor();
    assert.equal(await topOf(page, index), top);
  });

  it('keeps the newest entry in view when the tab changes its size', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await settle(page);
    for (const size of [
      { width: 400, height: 500 },
      { width: 900, height: 900 },
      { width: 300, height: 300 },
    ]) {
      await page.setViewportSize(size);
      await settle(page);
      await page.waitForFunction(() => {
        const element = document.querySelector('.scroller');
        return (
          element !== null && element.scrollHeight - element.clientHeight - element.scrollTop <= 2
        );
      });
    }
  });

  it('keeps the row at the top when the tab becomes narrower', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await scrollTo(page, 0.5);
    await settle(page);
    const index = await firstVisible(page);
    await page.setViewportSize({ width: 420, height: 800 });
    await settle(page);
    const after = await firstVisible(page);
    assert.ok(Math.abs(after - index) <= 1, `${index} became ${after}`);
  });

  it('shows messages that were sent before the page’s script had loaded', async () => {
    const { page, host } = await open({ entries: [user('First'), agent('Second')] });
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/transcript.js', (route) => held.then(() => route.continue()));
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => typeof early === 'object');
    host.sendAhead();
    await page.waitForFunction(() => early.messages.length === 1);
    go();
    await page.getByText('Second').waitFor();
    assert.deepEqual(await host.sent('resync'), []);
  });

  it('asks for a snapshot that was lost on its way to the page', async () => {
    const { page, host } = await open({ entries: [user('First'), agent('Second')] });
    // The old page receives the snapshot, which the reload discards.
    host.sendAhead();
    await page.reload();
    await page.getByText('Second').waitFor();
    assert.equal((await host.sent('resync')).length, 1);
  });

  it('comes back to the place that was read', async () => {
    const first = await open({ entries: conversation(1000) });
    await first.page.getByText('Answer 999').waitFor();
    await scrollTo(first.page, 0.4);
    await settle(first.page);
    const { index, top } = await savedPlace(first.page);
    const state = await first.state();

    const again = await open({ entries: conversation(1000), state });
    await row(again.page, index).waitFor();
    await settle(again.page);
    await again.page.waitForFunction(
      ([wanted, place]) => {
        const element = document.querySelector(`[data-index="${wanted}"]`);
        return element && Math.abs(element.getBoundingClientRect().top - (place as number)) <= 2;
      },
      [index, top],
    );
    await again.page.getByRole('button', { name: /Jump to latest/ }).waitFor();
  });

  it('comes back to the place that was read once a replay has reached it', async () => {
    const state = { saved, anchor: { index: 300, offset: 0 } };
    const { page, host } = await open({ phase: { kind: 'loading', received: 0 }, state });
    for (let from = 0; from < 600; from += 100) {
      host.append(...conversation(100, from));
      await page.waitForFunction(
        (count) =>
          document.querySelector('[data-index]')?.getAttribute('aria-setsize') === String(count),
        from + 100,
      );
    }
    host.setPhase({ kind: 'ready' });
    await page.waitForFunction(() => {
      const top = document.querySelector('[data-index="300"]')?.getBoundingClientRect().top;
      const fold = document.querySelector('.scroller')?.getBoundingClientRect().top;
      return top !== undefined && fold !== undefined && Math.abs(top - fold) <= 2;
    });
  });

  it('comes back to the place that was read when the session is read again', async () => {
    const { page, host } = await open({ entries: conversation(600) });
    await page.getByText('Answer 599').waitFor();
    await scrollTo(page, 0.4);
    await settle(page);
    const { index } = await savedPlace(page);
    host.setPhase({ kind: 'loading', received: 0 });
    host.reset([]);
    await page.locator('[data-index]').first().waitFor({ state: 'detached' });
    host.append(...conversation(600));
    host.setPhase({ kind: 'ready' });
    await row(page, index).waitFor();
    await settle(page);
    assert.equal(await firstVisible(page), index);
  });

  it('leaves the place of another session alone', async () => {
    const state = {
      saved: { ...saved, sessionId: 'another' },
      anchor: { index: 3, offset: 0 },
    };
    const { page } = await open({ entries: conversation(300), state });
    await page.getByText('Answer 299').waitFor();
    assert.ok((await distanceFromEnd(page)) <= 2);
  });

  it('remembers folds of rows that were scrolled away', async () => {
    const entries = conversation(300);
    entries[150] = toolCall({ title: 'The one', rawInput: { needle: 'in here' } });
    const state = { saved, anchor: { index: 149, offset: 0 } };
    const { page } = await open({ entries, state });
    await row(page, 150).waitFor();
    // Until then, rows move as they are measured, also from under the mouse.
    await settle(page);
    await page.getByRole('button', { name: /The one/ }).click();
    await page.getByRole('button', { name: 'Input' }).click();
    await page.getByText('in here').waitFor();
    await scrollTo(page, 0);
    await page.getByText('Question 0').waitFor();
    await page.getByText('in here').waitFor({ state: 'detached' });
    await scrollTo(page, 0.49);
    await page.getByText('in here').waitFor();
  });
});
