import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { conversation } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

/**
 * The approximate distance from an end of the scroll bar to the middle of its thumb there, in
 * pixels.
 */
const ends = 22;

/**
 * The row at the upper edge of the list, how many pixels of it are above the edge, and the fraction
 * scrolled.
 */
interface Place {
  readonly index: number;
  readonly above: number;
  readonly share: number;
}

function place(page: Page): Promise<Place> {
  return page.locator('.scroller').evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll<HTMLElement>('.row')];
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1);
    return {
      index: Number(first?.dataset['index']),
      above: Math.round(top - (first?.getBoundingClientRect().top ?? 0)),
      share: element.scrollTop / (element.scrollHeight - element.clientHeight),
    };
  });
}

/** The number of frames without movement after which the layout counts as stable. */
const stillFrames = 10;

/** Waits until all rows in the viewport are entries in their final places. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('.row') !== null && document.querySelector('.placeholder') === null,
  );
  // Rows are measured some frames after they are rendered.
  let before = '';
  for (let same = 0; same < stillFrames; ) {
    await page.evaluate(
      () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())),
    );
    const now = JSON.stringify(await place(page));
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

describe('the scroll bar', () => {
  const open = useTranscripts({ scrollBars: true });

  it('lands in 100,000 entries where it is dragged, and stays there as rows are measured', async () => {
    const { page, errors } = await open({ entries: conversation(100_000) });
    await page.getByText('Answer 99999').waitFor();
    await settle(page);
    const box = await page.locator('.scroller').boundingBox();
    assert.ok(box);
    const x = box.x + box.width - 5;
    const y = (share: number): number => box.y + ends + share * (box.height - 2 * ends);
    await page.mouse.move(x, y(1));
    await page.mouse.down();
    await page.mouse.move(x, y(0.6), { steps: 8 });
    await settle(page);
    const held = await place(page);
    assert.ok(Math.abs(held.share - 0.6) < 0.05, `landed at ${held.share}`);
    assert.ok(Math.abs(held.index / 100_000 - 0.6) < 0.05, `shows ${held.index}`);
    await page.mouse.up();
    await settle(page);
    const released = await place(page);
    assert.equal(released.index, held.index);
    assert.ok(Math.abs(released.above - held.above) <= 2);
    assert.deepEqual(errors, []);
  });
});
