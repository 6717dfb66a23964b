import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { fields } from '../keyboard/keyboard';
import { ownOffset, type RowVirtualizer } from '../rows/virtualizer';
import type { TranscriptState } from '../state/state';
import { type UserScroll, watchUserScroll } from './scrolledByUser';

/** Distance from the end that still counts as the end, in pixels. */
const tolerance = 2;

/** The position to which a list was scrolled when it was looked at last, and its heights then. */
interface Place {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/**
 * Keeps the newest entry in view while following. Any way in which the user scrolls up stops
 * following, returning to the end resumes it, and changes of heights do neither. Nothing moves while
 * a row is pressed: a click whose button moves away before the release would be lost.
 */
export function useFollow(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
  follow: boolean,
): void {
  const last = useRef<Place>({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });
  const user = useRef<UserScroll>(undefined);
  const isPressed = useRef(false);
  const stay = useCallback(() => {
    if (scroller.current && !isPressed.current) {
      stayAtEnd(scroller.current, state, virtualizer);
    }
  }, [state, virtualizer, scroller]);
  const notice = useCallback(() => {
    if (scroller.current) {
      noticeScroll(scroller.current, state, virtualizer, last, user.current);
    }
  }, [state, virtualizer, scroller]);
  const look = useCallback(
    (isFollowing = state.follow.peek()) => {
      if (isFollowing) {
        notice();
        stay();
      } else if (scroller.current) {
        state.atEnd.value = isAtEnd(scroller.current);
      }
    },
    [state, scroller, notice, stay],
  );
  // Jumping past a request must scroll to the end even when `follow` was already set.
  useSignalEffect(() => {
    if (state.passedRequest.value !== undefined) {
      stay();
    }
  });
  useLayoutEffect(() => look(follow));
  useLayoutEffect(() => {
    const element = scroller.current;
    return element ? watch(element, state, user, notice, look) : undefined;
  }, [state, scroller, notice, look]);
  useLayoutEffect(() => {
    const element = scroller.current;
    return element ? watchPresses(element, isPressed, stay) : undefined;
  }, [scroller, stay]);
}

function watch(
  element: HTMLElement,
  state: TranscriptState,
  user: RefObject<UserScroll | undefined>,
  notice: () => void,
  look: () => void,
): () => void {
  const abort = new AbortController();
  const options = { passive: true, signal: abort.signal };
  const own = watchUserScroll(element, () => {
    state.follow.value = false;
  });
  user.current = own;
  // In the capture phase, before the list re-renders: measuring afterward would force a second layout.
  element.addEventListener('scroll', notice, { ...options, capture: true });
  // No frame was drawn while the tab was hidden.
  document.addEventListener('visibilitychange', () => look(), options);
  const resized = new ResizeObserver(() => look());
  resized.observe(element);
  return () => {
    abort.abort();
    resized.disconnect();
    own.dispose();
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

/** Starts following at the end, and stops when the user has scrolled up. */
function noticeScroll(
  element: HTMLElement,
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  last: RefObject<Place>,
  user: UserScroll | undefined,
): void {
  const before = last.current;
  const { scrollTop, scrollHeight, clientHeight } = element;
  last.current = { scrollTop, scrollHeight, clientHeight };
  const atEnd = isAtEnd(element);
  state.atEnd.value = atEnd;
  const isOwn = scrollTop === ownOffset(virtualizer);
  if (scrollTop >= before.scrollTop) {
    // The event of the list's own scroll may come between the user's wheel and its effect.
    if (atEnd && !(isOwn && user?.isSettingOut)) {
      state.follow.value = true;
    }
    return;
  }
  // The browser, too, scrolls up what has become shorter than where it was scrolled to.
  const isSameHeight = scrollHeight === before.scrollHeight && clientHeight === before.clientHeight;
  const isByHand = user?.isSettingOut === true || user?.isDragging === true;
  if (!isOwn && (isByHand || (isSameHeight && scrollTop > 0))) {
    state.follow.value = atEnd && state.follow.peek();
  }
  user?.arrived();
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
  const row = isPassed ? undefined : virtualizer.measurementsCache[state.rows.getRow(index)];
  if (!row || row.end <= element.scrollTop) {
    return undefined;
  }
  const start = Math.max(0, row.start - virtualizer.options.scrollPaddingStart);
  const isWhole = start >= element.scrollHeight - element.clientHeight;
  return isWhole && virtualizer.itemSizeCache.has(row.index)
    ? undefined
    : { index: row.index, start };
}

/** Whether the user types in a field of a row: then the list doesn't scroll to new entries. */
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
