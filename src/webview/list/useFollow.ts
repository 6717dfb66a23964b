import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { fields } from '../keys/keyboard';
import type { TranscriptState } from '../state/state';
import { ownOffset, type RowVirtualizer } from './virtualizer';

/** Distance from the end that still counts as the end, in pixels. */
const tolerance = 2;

const scrollsUp = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest entry in view while following. Any way of scrolling up stops following,
 * returning to the end resumes it, and rows that change their height do neither. Nothing moves while
 * a row is pressed: a click whose button moves away before the release would be lost.
 */
export function useFollow(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
  follow: boolean,
): void {
  const last = useRef(0);
  const isPressed = useRef(false);
  const stay = useCallback(() => {
    if (scroller.current && !isPressed.current) {
      stayAtEnd(scroller.current, state, virtualizer);
    }
  }, [state, virtualizer, scroller]);
  // Jumping past a request must scroll to the end even when `follow` was already set.
  useSignalEffect(() => {
    if (state.passedRequest.value !== undefined) {
      stay();
    }
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && follow) {
      noticeScroll(element, state, virtualizer, last);
      stay();
    } else if (element) {
      state.atEnd.value = isAtEnd(element);
    }
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return element ? watch(element, state, virtualizer, last, stay) : undefined;
  }, [state, virtualizer, scroller, stay]);
  useLayoutEffect(() => {
    const element = scroller.current;
    return element ? watchPresses(element, isPressed, stay) : undefined;
  }, [scroller, stay]);
}

function watch(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  last: RefObject<number>,
  stay: () => void,
): () => void {
  const abort = new AbortController();
  const options = { passive: true, signal: abort.signal };
  // Immediately, not with the first step of a smooth scroll: a new entry in between would undo it.
  const stop = (): void => {
    if (element.scrollTop > 0) {
      state.follow.value = false;
    }
  };
  element.addEventListener('wheel', (event) => event.deltaY < 0 && stop(), options);
  element.addEventListener('keydown', (event) => scrollsUp.has(event.key) && stop(), options);
  const onScroll = (): void => noticeScroll(element, state, virtualizer, last);
  // In the capture phase, before the list re-renders: measuring afterward would force a second layout.
  element.addEventListener('scroll', onScroll, { ...options, capture: true });
  const resized = new ResizeObserver(stay);
  resized.observe(element);
  return () => {
    abort.abort();
    resized.disconnect();
  };
}

/** Sets `isPressed` while a row is pressed, and calls `released` after the click has been handled. */
function watchPresses(
  element: HTMLElement,
  isPressed: RefObject<boolean>,
  released: () => void,
): () => void {
  const abort = new AbortController();
  const options = { passive: true, signal: abort.signal };
  const press = ({ target, button }: PointerEvent): void => {
    // The release of a scrollbar, whose target is the list itself, isn't always reported.
    isPressed.current = button === 0 && target !== element;
  };
  const release = (): void => {
    if (isPressed.current) {
      isPressed.current = false;
      requestAnimationFrame(released);
    }
  };
  element.addEventListener('pointerdown', press, options);
  for (const end of ['pointerup', 'pointercancel', 'blur']) {
    window.addEventListener(end, release, options);
  }
  return () => abort.abort();
}

/** Starts following at the end, and stops when anything but the list itself has scrolled up. */
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
 * The pending request that the user hasn't skipped, and the scroll offset of its start, unless it
 * fits on the screen together with the end: a question is read before it is answered.
 */
function requestInView(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
): { readonly index: number; readonly start: number } | undefined {
  const index = state.session.peek()?.waiting[0];
  const isPassed = index === undefined || index === state.passedRequest.peek();
  // Updates the measurements cache: rows above may have been measured since they were drawn.
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

/** While the user types in a field of a row, the list doesn't scroll to new entries. */
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
