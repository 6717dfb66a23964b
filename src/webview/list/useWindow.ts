import { useEffect, useRef } from 'preact/hooks';
import { nextWindow } from '../rowWindow';
import type { TranscriptState } from '../state';
import type { RowVirtualizer } from './virtualizer';

/** Asks the host for the rows around those on screen, at most once a frame and only when it matters. */
export function useWindow(state: TranscriptState, virtualizer: RowVirtualizer): void {
  const frame = useRef<number>(undefined);
  useEffect(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      const { range } = virtualizer;
      const count = state.count.peek();
      if (!range || count === 0) {
        return;
      }
      state.setVisible(range.startIndex, range.endIndex);
      const follow = state.follow.peek();
      const next = nextWindow(range.startIndex, range.endIndex, count, follow, state.window);
      if (next) {
        state.setWindow(next);
      }
    });
  });
  useEffect(() => () => cancelAnimationFrame(frame.current ?? 0), []);
}
