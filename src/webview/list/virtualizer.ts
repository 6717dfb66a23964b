import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { stickyHeight } from '../outline/sticky';

export type RowVirtualizer = Virtualizer<HTMLElement, HTMLElement>;
type Report = (offset: number, isScrolling: boolean) => void;

const estimatedHeight = 100;
/**
 * Chromium draws no element higher than 33,554,428 px (https://github.com/TanStack/virtual/issues/616); what is
 * measured comes on top of the estimates.
 */
const highestEstimate = 30e6;
/** Rows drawn beyond the visible ones on each side. */
const overscan = 3;

const reports = new WeakMap<RowVirtualizer, Report>();
const written = new WeakMap<RowVirtualizer, number>();

/** Where the list itself has scrolled to last; whatever is elsewhere was moved by a person. */
export function ownOffset(virtualizer: RowVirtualizer): number | undefined {
  return written.get(virtualizer);
}

/** The rows to draw of `count`, keyed by index, kept where they are while rows above get their real heights. */
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
    // Free of the sticky line.
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
 * Tells the virtualizer at once where it has scrolled to, not with the next frame's scroll event:
 * the rows there are then drawn before anything is painted. Corrections for heights it has already
 * taken into account.
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
 * Whether a row's new height has to move the view so that what is being read stays where it is: a
 * row measured for the first time when it begins above the fold, later when it lies above altogether.
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
