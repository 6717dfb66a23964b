import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * When the focused row is scrolled out of the DOM, the list takes the focus, so that keys keep
 * working. The focus is also restored when the user returns to the page from elsewhere in VS Code.
 */
export function useKeepFocus(scroller: RefObject<HTMLElement | null>): void {
  const last = useRef<HTMLElement>(undefined);
  const wasInList = useRef(false);
  useLayoutEffect(() => {
    if (document.hasFocus() && last.current?.isConnected === false) {
      restore(last.current, wasInList.current ? scroller.current : null);
    }
  });
  useLayoutEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const noteWhere = ({ target }: Event): void => {
      wasInList.current = scroller.current?.contains(target as Node) ?? false;
    };
    const onFocus = (event: FocusEvent): void => {
      last.current = event.target as HTMLElement;
      noteWhere(event);
    };
    const onReturn = (): void => restore(last.current, wasInList.current ? scroller.current : null);
    document.addEventListener('focusin', onFocus, { signal });
    document.addEventListener('pointerdown', noteWhere, { signal });
    window.addEventListener('focus', onReturn, { signal });
    return () => abort.abort();
  }, [scroller]);
}

function restore(last: HTMLElement | undefined, list: HTMLElement | null): void {
  if (last && document.activeElement === document.body) {
    (last.isConnected ? last : list)?.focus({ preventScroll: true });
  }
}
