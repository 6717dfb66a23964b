import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { nextWindow } from '../rows/rowWindow';
import type { RowVirtualizer } from '../rows/virtualizer';
import type { TranscriptState } from '../state/state';

/**
 * Records the rows on screen as soon as they are drawn, and requests those around them from the
 * host, at most once per frame and only when needed.
 */
export function useWindow(state: TranscriptState, virtualizer: RowVirtualizer): void {
  const frame = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (virtualizer.range) {
      state.setVisible(virtualizer.range.startIndex, virtualizer.range.endIndex);
    }
  });
  useEffect(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      const { range } = virtualizer;
      const count = state.count.peek();
      if (!range || count === 0) {
        return;
      }
      const follow = state.follow.peek();
      const next = nextWindow(range.startIndex, range.endIndex, count, follow, state.window);
      if (next) {
        state.setWindow(next);
      }
    });
  });
  useEffect(() => () => cancelAnimationFrame(frame.current ?? 0), []);
}
