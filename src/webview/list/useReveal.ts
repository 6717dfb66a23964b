import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RowVirtualizer } from '../rows/virtualizer';
import type { TranscriptState } from '../state/state';

/** Scrolls to the latest revealed entry and, unless it is a match of Find, focuses it. */
export function useReveal(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
): void {
  const reveal = state.reveal.value;
  const index = reveal && state.rows.rowOf(reveal.index);
  const focus = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (!reveal || index === undefined) {
      return;
    }
    const isMatch = reveal.as === 'match';
    state.active.value = index;
    state.folds.openAllOf(isMatch || reveal.words ? reveal.index : undefined);
    virtualizer.scrollToIndex(index, { align: isMatch ? 'center' : 'start' });
    focus.current = isMatch ? undefined : index;
  }, [state, virtualizer, reveal, index]);
  const focusRow = useCallback(() => {
    // Taking the focus from the rest of VS Code would close whatever is open there, such as the
    // Command Palette.
    const wanted = document.hasFocus() ? focus.current : undefined;
    const row =
      wanted !== undefined &&
      scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted}"]`);
    if (row) {
      focus.current = undefined;
      row.focus({ preventScroll: true });
    }
  }, [scroller]);
  useLayoutEffect(focusRow);
  useEffect(() => {
    // Scrolling or clicking elsewhere before the row is drawn cancels the focus.
    const giveUp = (): void => {
      focus.current = undefined;
    };
    const abort = new AbortController();
    window.addEventListener('focus', focusRow, { signal: abort.signal });
    for (const gesture of ['wheel', 'pointerdown']) {
      window.addEventListener(gesture, giveUp, { passive: true, signal: abort.signal });
    }
    return () => abort.abort();
  }, [focusRow]);
}
