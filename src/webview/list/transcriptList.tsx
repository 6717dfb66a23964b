import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Anchor } from '../../shared/messages';
import { useTranscript } from '../context';
import type { TranscriptState } from '../state';
import { Row } from './row';
import { useAnchor } from './useAnchor';
import { useFollow } from './useFollow';
import { useMeasure } from './useMeasure';
import { useWindow } from './useWindow';
import { type RowVirtualizer, useVirtualizer } from './virtualizer';

interface TranscriptListProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly initial: Anchor;
  readonly save: (anchor: Anchor) => void;
}

/** The whole transcript as one scrolling list, of which only what is near the screen exists. */
export function TranscriptList({ scroller, initial, save }: TranscriptListProps): VNode {
  const { state } = useTranscript();
  const count = state.count.value;
  const virtualizer = useVirtualizer(count, scroller);
  const measure = useMeasure(virtualizer);
  const rows = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex;
  const active = state.active.value;
  const tabbed = rows.some(({ index }) => index === active) ? active : first;

  useAnchor(state, virtualizer, scroller, initial, save);
  useReveal(state, virtualizer, scroller);
  useFollow(state, virtualizer, scroller, state.follow.value);
  useWindow(state, virtualizer);
  useKeepFocus(scroller);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="scroller" ref={scroller} tabIndex={0} role="group" aria-label="Conversation">
      <div
        role="feed"
        aria-label="Entries"
        aria-busy={state.phase.value?.kind === 'loading'}
        class="feed"
        style={{ height: `${virtualizer.getTotalSize()}px` }}
      >
        {rows.map((item) => (
          <Row
            key={item.index}
            item={item}
            count={count}
            inTabOrder={item.index === tabbed}
            measure={measure}
          />
        ))}
      </div>
    </div>
  );
}

/** Scrolls to the entry that was asked for last, and gives it the focus when it was sought by keyboard. */
function useReveal(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
): void {
  const reveal = state.reveal.value;
  const focused = useRef(reveal);
  useLayoutEffect(() => {
    if (!reveal) {
      return;
    }
    state.active.value = reveal.index;
    state.folds.openAllOf(reveal.as === 'match' ? reveal.index : undefined);
    virtualizer.scrollToIndex(reveal.index, { align: reveal.as === 'match' ? 'center' : 'start' });
  }, [state, virtualizer, reveal]);
  useLayoutEffect(() => {
    if (reveal?.as !== 'entry' || focused.current === reveal) {
      return;
    }
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${reveal.index}"]`);
    if (row) {
      row.focus({ preventScroll: true });
      // A placeholder passes the focus on to its entry.
      focused.current = row.ariaBusy === 'true' ? focused.current : reveal;
    }
  });
}

/** A row that had the focus and is scrolled away leaves it to the list, so that keys go on working. */
function useKeepFocus(scroller: RefObject<HTMLElement | null>): void {
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
