import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TranscriptState } from '../state';
import type { RowVirtualizer } from './virtualizer';

/** Scrolls to the entry that was asked for last, and gives it the focus when it was sought by keyboard. */
export function useReveal(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
): void {
  const reveal = state.reveal.value;
  const focus = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (!reveal) {
      return;
    }
    const isMatch = reveal.as === 'match';
    state.active.value = reveal.index;
    state.folds.openAllOf(isMatch || reveal.words ? reveal.index : undefined);
    virtualizer.scrollToIndex(reveal.index, { align: isMatch ? 'center' : 'start' });
    focus.current = isMatch ? undefined : reveal.index;
  }, [state, virtualizer, reveal]);
  const focusRow = useCallback(() => {
    // Taking the focus from VS Code would close what a person has opened since, its palette say.
    const index = document.hasFocus() ? focus.current : undefined;
    const row =
      index !== undefined &&
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (row) {
      focus.current = undefined;
      row.focus({ preventScroll: true });
    }
  }, [scroller]);
  useLayoutEffect(focusRow);
  useEffect(() => {
    // Whoever goes elsewhere before the row is there has given it up.
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
