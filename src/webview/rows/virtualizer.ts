import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { stickyHeight } from './sticky';

export type RowVirtualizer = Virtualizer<HTMLElement, HTMLElement>;
type Report = (offset: number, isScrolling: boolean) => void;

const estimatedHeight = 100;
/**
 * Chromium limits an element's height to 33,554,428 px
 * (https://github.com/TanStack/virtual/issues/616); measured heights may exceed the estimates.
 */
const highestEstimate = 30e6;
/** Rows rendered beyond the visible ones on each side. */
const overscan = 3;

// TanStack's instance is handed to its callbacks and has no room for these.
const reports = new WeakMap<RowVirtualizer, Report>();
const written = new WeakMap<RowVirtualizer, number>();

/** The offset that the list last scrolled to by itself; any other offset comes from the user. */
export function ownOffset(virtualizer: RowVirtualizer): number | undefined {
  return written.get(virtualizer);
}

/**
 * Virtualizes `count` rows, keyed by index, and keeps the visible ones in place while rows above
 * are measured.
 */
export function useVirtualizer(
  count: number,
  scroller: RefObject<HTMLElement | null>,
): RowVirtualizer {
  const [, redraw] = useState({});
  const height = Math.min(estimatedHeight, highestEstimate / Math.max(count, 1));
  const options = {
    count,
    overscan,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    observeElementRect,
    observeElementOffset: (instance: RowVirtualizer, report: Report) => {
      reports.set(instance, report);
      return observeElementOffset(instance, report);
    },
    scrollToFn,
    onChange: () => redraw({}),
    // Below the sticky line; the same as in `styles/outline.css`.
    scrollPaddingStart: stickyHeight + 4,
    scrollPaddingEnd: 8,
  };
  const [virtualizer] = useState(() => {
    const created: RowVirtualizer = new Virtualizer(options);
    created.shouldAdjustScrollPositionOnItemSizeChange = isAbove;
    return created;
  });
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

/**
 * Reports a programmatic scroll to the virtualizer immediately instead of with the next frame's
 * scroll event, so that the rows there are rendered before paint. Adjustments for row heights are
 * excluded: the virtualizer has already accounted for them.
 */
function scrollToFn(
  offset: number,
  how: Parameters<typeof elementScroll>[1],
  instance: RowVirtualizer,
): void {
  elementScroll(offset, how, instance);
  if (!instance.scrollElement) {
    return;
  }
  const { scrollTop } = instance.scrollElement;
  written.set(instance, scrollTop);
  if (how.adjustments === undefined) {
    reports.get(instance)?.(scrollTop, instance.isScrolling);
  }
}

/**
 * Whether a row's new height must shift the scroll offset to keep the visible text in place: on its
 * first measurement, when the row starts above the viewport; later, only when it lies entirely
 * above.
 */
function isAbove(
  row: { readonly key: number | string | bigint; readonly start: number; readonly size: number },
  _delta: number,
  instance: RowVirtualizer,
): boolean {
  const fold = instance.scrollOffset ?? 0;
  const known = instance.itemSizeCache.get(row.key);
  return known === undefined ? row.start < fold : row.start + known <= fold;
}
