import type { ReadonlySignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import type { Anchor } from '../../shared/transcript/webviewMessages';
import { Ruler } from '../outline/ruler';
import { StickyTurn } from '../outline/stickyTurn';
import { useVirtualizer } from '../rows/virtualizer';
import { useTranscript } from '../state/context';
import { Row } from './row';
import { useAnchor } from './useAnchor';
import { useFollow } from './useFollow';
import { useHidden } from './useHidden';
import { useKeepFocus } from './useKeepFocus';
import { useMeasure } from './useMeasure';
import { useReveal } from './useReveal';
import { useWindow } from './useWindow';

interface TranscriptListProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Indexes of the entries with matches, ascending. */
  readonly found: ReadonlySignal<readonly number[]>;
  readonly initial: Anchor;
  readonly save: (anchor: Anchor) => void;
}

/** The whole transcript as one scrolling list that only renders the rows near the viewport. */
export function TranscriptList({ scroller, found, initial, save }: TranscriptListProps): VNode {
  const { state } = useTranscript();
  const count = state.count.value;
  const virtualizer = useVirtualizer(count, scroller);
  const measure = useMeasure(virtualizer);
  const hidden = state.rows.hidden.value;
  const rows = virtualizer.getVirtualItems().filter(({ index }) => !hidden.has(index));
  const first = virtualizer.range?.startIndex ?? 0;
  const active = state.active.value;
  const tabbed = (
    rows.find(({ index }) => index === active) ?? rows.find(({ index }) => index >= first)
  )?.index;

  useHidden(virtualizer, hidden);
  useAnchor(state, virtualizer, scroller, initial, save);
  useReveal(state, virtualizer, scroller);
  useFollow(state, virtualizer, scroller, state.follow.value);
  useWindow(state, virtualizer);
  useKeepFocus(scroller);

  return (
    <div class="list">
      <div class="over">
        <StickyTurn virtualizer={virtualizer} scroller={scroller} />
        <Ruler virtualizer={virtualizer} found={found} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        class="scroller"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={l10n.t('Conversation')}
      >
        <div
          role="feed"
          aria-label={l10n.t('Entries')}
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
    </div>
  );
}
