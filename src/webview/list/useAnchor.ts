import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Anchor } from '../../shared/transcript/webviewMessages';
import type { RowVirtualizer } from '../rows/virtualizer';
import type { TranscriptState } from '../state/state';

/** The position is saved once scrolling has paused this long, in milliseconds. */
const rest = 200;

const gestures = ['wheel', 'pointerdown', 'touchstart', 'keydown'];

/**
 * Restores the tab's last reading position as soon as the replay has reached that entry, unless the
 * user navigates first, and passes the current position to `save`.
 */
export function useAnchor(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
  initial: Anchor,
  save: (anchor: Anchor) => void,
): void {
  const pending = useRef(initial === 'end' ? undefined : initial);
  usePreview(state, virtualizer, pending);

  useLayoutEffect(() => {
    const target = pending.current;
    if (target && state.reveal.peek()) {
      pending.current = undefined;
    } else if (target && state.count.peek() > target.index) {
      state.follow.value = false;
      const place = virtualizer.getOffsetForIndex(target.index, 'start');
      if (place && virtualizer.itemSizeCache.has(target.index)) {
        pending.current = undefined;
        virtualizer.scrollToOffset(
          place[0] + virtualizer.options.scrollPaddingStart + target.offset,
        );
      } else {
        virtualizer.scrollToIndex(target.index, { align: 'start' });
      }
    }
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) {
      return;
    }
    const abort = new AbortController();
    const options = { passive: true, signal: abort.signal };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveNow = (): void => {
      clearTimeout(timer);
      if (!pending.current && state.count.peek() > 0) {
        save(getPlace(state, virtualizer));
      }
    };
    for (const gesture of gestures) {
      element.addEventListener(gesture, () => (pending.current = undefined), options);
    }
    const onScroll = (): void => {
      clearTimeout(timer);
      timer = setTimeout(saveNow, rest);
    };
    element.addEventListener('scroll', onScroll, options);
    window.addEventListener('pagehide', saveNow, options);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [state, virtualizer, scroller, save]);
}

/** Shows an entry while the user picks one; `back` restores the position where the preview began. */
function usePreview(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  pending: RefObject<Exclude<Anchor, 'end'> | undefined>,
): void {
  const preview = state.preview.value;
  const began = useRef<Anchor>(undefined);
  useLayoutEffect(() => {
    if (preview === undefined) {
      began.current = undefined;
    } else if (preview === 'back') {
      const place = began.current;
      state.preview.value = undefined;
      if (place === 'end') {
        state.jumpToLatest();
      } else {
        pending.current = place;
      }
    } else {
      began.current ??= getPlace(state, virtualizer);
      state.follow.value = false;
      virtualizer.scrollToIndex(state.rows.getRow(preview), { align: 'start' });
    }
  }, [state, virtualizer, pending, preview]);
}

function getPlace(state: TranscriptState, virtualizer: RowVirtualizer): Anchor {
  const offset = virtualizer.scrollOffset ?? 0;
  const row = virtualizer.getVirtualItemForOffset(offset);
  if (state.follow.peek() || !row) {
    return 'end';
  }
  const index = state.rows.getRow(row.index);
  const start = virtualizer.measurementsCache[index]?.start ?? row.start;
  return { index, offset: Math.max(0, Math.round(offset - start)) };
}
