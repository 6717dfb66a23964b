import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TranscriptState } from '../state';
import { ownOffset, type RowVirtualizer } from './virtualizer';

/** This close to the end counts as being there, in pixels. */
const tolerance = 2;

const fields = 'input, textarea, select';
const scrollsUp = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest entry in view while following. A person who scrolls up stops it, in whatever way;
 * coming back to the end starts it again. Heights that change under way don't.
 */
export function useFollow(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
  follow: boolean,
): void {
  const last = useRef(0);
  // To the end, though that was followed before, too.
  useSignalEffect(() => {
    if (state.passedRequest.value !== undefined && scroller.current) {
      stayAtEnd(scroller.current, state, virtualizer);
    }
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && follow) {
      noticeScroll(element, state, virtualizer, last);
      stayAtEnd(element, state, virtualizer);
    } else if (element) {
      state.atEnd.value = isAtEnd(element);
    }
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return element ? watch(element, state, virtualizer, last) : undefined;
  }, [state, virtualizer, scroller]);
}

function watch(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  last: RefObject<number>,
): () => void {
  const abort = new AbortController();
  const options = { passive: true, signal: abort.signal };
  // At once, not with the first step of a smooth scroll: a new entry in between would undo it.
  const stop = (): void => {
    if (element.scrollTop > 0) {
      state.follow.value = false;
    }
  };
  element.addEventListener('wheel', (event) => event.deltaY < 0 && stop(), options);
  element.addEventListener('keydown', (event) => scrollsUp.has(event.key) && stop(), options);
  const onScroll = (): void => noticeScroll(element, state, virtualizer, last);
  // Before the list draws anew: asking for places afterwards would lay out the page twice.
  element.addEventListener('scroll', onScroll, { ...options, capture: true });
  const resized = new ResizeObserver(() => stayAtEnd(element, state, virtualizer));
  resized.observe(element);
  return () => {
    abort.abort();
    resized.disconnect();
  };
}

/** Follows from the end on, and no more once somebody but the list itself has scrolled up. */
function noticeScroll(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  last: RefObject<number>,
): void {
  const { scrollTop } = element;
  const up = scrollTop < last.current;
  last.current = scrollTop;
  const atEnd = isAtEnd(element);
  state.atEnd.value = atEnd;
  if (!up && atEnd) {
    state.follow.value = true;
  } else if (up && scrollTop > 0 && scrollTop !== ownOffset(virtualizer)) {
    state.follow.value = atEnd && state.follow.peek();
  }
}

function stayAtEnd(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
): void {
  if (!state.follow.peek() || distanceFromEnd(element) <= 1 || isFilledIn(element)) {
    return;
  }
  const request = requestInView(element, state, virtualizer);
  if (request === undefined) {
    virtualizer.scrollToEnd();
  } else if (!virtualizer.itemSizeCache.has(request.index) || request.start > element.scrollTop) {
    virtualizer.scrollToIndex(request.index, { align: 'start' });
  }
}

/**
 * A request that waits and isn't left behind, and where the list would be at its beginning, unless the end can be
 * seen with it: one reads what is asked before one answers.
 */
function requestInView(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
): { readonly index: number; readonly start: number } | undefined {
  const index = state.session.peek()?.waiting[0];
  const isPassed = index === undefined || index === state.passedRequest.peek();
  // Brings the places up to date: rows above may have been measured since they were drawn.
  virtualizer.getTotalSize();
  const row = isPassed ? undefined : virtualizer.measurementsCache[state.rows.rowOf(index)];
  if (!row || row.end <= element.scrollTop) {
    return undefined;
  }
  const start = Math.max(0, row.start - virtualizer.options.scrollPaddingStart);
  const isWhole = start >= element.scrollHeight - element.clientHeight;
  return isWhole && virtualizer.itemSizeCache.has(row.index)
    ? undefined
    : { index: row.index, start };
}

/** Somebody writes in a field of a row: it stays where it is, whatever comes below it. */
function isFilledIn(element: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement?.matches(fields) === true && element.contains(activeElement);
}

function isAtEnd(element: HTMLElement): boolean {
  return distanceFromEnd(element) <= tolerance;
}

function distanceFromEnd(element: HTMLElement): number {
  return element.scrollHeight - element.clientHeight - element.scrollTop;
}
