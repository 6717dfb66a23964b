import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A row that had the focus and is scrolled away leaves it to the list, so that keys go on working. Whatever
 * has it when a person goes elsewhere in VS Code has it again when they come back.
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
