import assert from 'node:assert/strict';
import { nextWindow, type RowWindow, windowRange } from '../../../../src/webview/rows/rowWindow';
import { fc } from '../../../support/properties';

const count = fc.integer({ min: 1, max: 100_000 });

/** Visible ranges of rows in a transcript. */
const screens = count.chain((total) =>
  fc
    .tuple(fc.integer({ min: 0, max: total - 1 }), fc.integer({ min: 0, max: 120 }))
    .map(([first, more]) => ({ total, first, last: Math.min(total - 1, first + more) })),
);

function holds(window: RowWindow, total: number, first: number, last: number): boolean {
  const { start, end } = windowRange(window, total);
  return start <= first && last < end;
}

describe('the window of rows', () => {
  it('holds the viewport, some more, and never many', () => {
    fc.assert(
      fc.property(screens, ({ total, first, last }) => {
        const window = nextWindow(first, last, total, false, undefined);
        assert.ok(window && holds(window, total, first, last));
        assert.ok(window.end - window.start <= 300);
        const { start, end } = windowRange(window, total);
        assert.ok(start === 0 || start <= first - 15);
        assert.ok(end === total || end >= last + 15);
      }),
    );
  });

  it('is requested again only when the held rows run out', () => {
    fc.assert(
      fc.property(screens, ({ total, first, last }) => {
        const window = nextWindow(first, last, total, false, undefined);
        assert.ok(window);
        assert.equal(nextWindow(first, last, total, false, window), undefined);
        const further = Math.min(total - 1, last + 20);
        assert.equal(nextWindow(first, further, total, false, window), undefined);
      }),
    );
  });

  it('moves with the end while following, however the transcript grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), count, (visible, total) => {
        const last = Math.min(visible, total) - 1;
        const window = nextWindow(0, last, total, true, undefined);
        assert.ok(window?.follow);
        assert.equal(nextWindow(0, last, total, true, window), undefined);
        const later = total + 50_000;
        assert.ok(holds(window, later, later - 1 - last, later - 1));
        assert.equal(nextWindow(later - 1 - last, later - 1, later, true, window), undefined);
      }),
    );
  });

  it('is asked for when following starts or ends', () => {
    const followed = nextWindow(90, 99, 100, true, undefined);
    assert.ok(followed);
    const still = nextWindow(90, 99, 100, false, followed);
    assert.deepEqual(still, { start: 50, end: 100, follow: false });
    assert.deepEqual(nextWindow(90, 99, 100, true, still)?.follow, true);
  });
});
