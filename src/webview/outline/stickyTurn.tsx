import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { stickyHeight } from '../rows/sticky';
import type { RowVirtualizer } from '../rows/virtualizer';
import { useTranscript } from '../state/context';

/** A list lower than this has no room for the line, in pixels. */
const lowest = 200;
/** A prompt whose top is below this edge is visible itself, in pixels. */
const edge = stickyHeight + 8;

interface StickyTurnProps {
  readonly virtualizer: RowVirtualizer;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * Names the turn at the top of the viewport once its prompt is scrolled out, and links back to the
 * prompt.
 */
export function StickyTurn({ virtualizer, scroller }: StickyTurnProps): VNode | null {
  const { state } = useTranscript();
  const top = useTopRow(virtualizer, scroller);
  const turn = top === undefined ? undefined : state.outline.findTurn(top);
  useLayoutEffect(
    () => (scroller.current ? keepFocusClear(scroller.current) : undefined),
    [scroller],
  );
  const isLow = (virtualizer.scrollRect?.height ?? 0) < lowest;
  if (isLow || !turn || turn.index === top) {
    return null;
  }
  return (
    <nav class="sticky" aria-label={l10n.t('Current turn')}>
      <button type="button" class="sticky-turn" onClick={() => state.show(turn.index, 'entry')}>
        <span class="sticky-number">{l10n.t('Turn {0}', turn.number)}</span>
        <span class="sr-only">{l10n.t(': go to its prompt')}</span>
        {/* Hidden from screen readers, which read the prompt in its own row. */}
        <span class="one-line" title={turn.prompt} aria-hidden="true">
          {turn.prompt}
        </span>
      </button>
    </nav>
  );
}

/** The row at the lower edge of the sticky line; `undefined` while the list is at its start. */
function useTopRow(
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
): number | undefined {
  const top = useSignal<number | undefined>(undefined);
  const read = (): void => {
    const offset = virtualizer.scrollOffset ?? 0;
    top.value = offset > 0 ? virtualizer.getVirtualItemForOffset(offset + edge)?.index : undefined;
  };
  // Also after each measurement.
  useLayoutEffect(read);
  useEffect(() => {
    const abort = new AbortController();
    scroller.current?.addEventListener('scroll', read, { passive: true, signal: abort.signal });
    return () => abort.abort();
  }, [virtualizer, scroller]);
  return top.value;
}

/**
 * Scrolls elements that get the focus by keyboard, and any focused field, out from under the sticky
 * line.
 */
function keepFocusClear(scroller: HTMLElement): () => void {
  const onFocus = ({ target }: FocusEvent): void => {
    const isPart = target instanceof HTMLElement && target.closest('.row') !== target;
    if (!isPart || target === scroller || !target.matches(':focus-visible')) {
      return;
    }
    comeClear(scroller, target);
    // Again once rows above it have been measured.
    requestAnimationFrame(() => target.matches(':focus') && comeClear(scroller, target));
  };
  scroller.addEventListener('focusin', onFocus);
  return () => scroller.removeEventListener('focusin', onFocus);
}

function comeClear(scroller: HTMLElement, element: HTMLElement): void {
  const covered =
    scroller.getBoundingClientRect().top + stickyHeight - element.getBoundingClientRect().top;
  if (covered > 0) {
    scroller.scrollTop -= covered;
  }
}
