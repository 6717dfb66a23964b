import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A row that had the focus and is scrolled away leaves it to the list, so that keys go on working. */
export function useKeepFocus(scroller: RefObject<HTMLElement | null>): void {
  const inside = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && inside.current && document.activeElement === document.body) {
      element.focus({ preventScroll: true });
    }
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) {
      return;
    }
    const abort = new AbortController();
    const onFocus = (event: FocusEvent): void => {
      inside.current = element.contains(event.target as Node);
    };
    const onPress = (event: PointerEvent): void => {
      inside.current = element.contains(event.target as Node);
    };
    document.addEventListener('focusin', onFocus, { signal: abort.signal });
    document.addEventListener('pointerdown', onPress, { signal: abort.signal });
    return () => abort.abort();
  }, [scroller]);
}
