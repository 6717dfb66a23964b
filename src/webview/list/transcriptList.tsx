import type { ReadonlySignal } from '@preact/signals';
import type { VirtualItem } from '@tanstack/virtual-core';
import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type RefObject, type VNode } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { DrawnEntry } from '../../shared/transcript/drawn';
import type { Anchor } from '../../shared/transcript/webviewMessages';
import { EntryContent, entryLabel } from '../entries/entry';
import { TurnReview, Uncertain, Unrecorded } from '../entries/turnReview';
import { Ruler } from '../outline/ruler';
import { StickyTurn } from '../outline/stickyTurn';
import type { CallRun } from '../rows/rows';
import { nextWindow } from '../rows/rowWindow';
import { type RowVirtualizer, useVirtualizer } from '../rows/virtualizer';
import { EntryIndexContext, useTranscript } from '../state/context';
import type { TranscriptState } from '../state/state';
import { getCalls, RunLine, runLabel } from '../toolCalls/run';
import { useAnchor } from './useAnchor';
import { useFollow } from './useFollow';
import { useMeasure } from './useMeasure';

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

/** Gives entries without a row zero height, until they have one; from last to first, see `useMeasure`. */
function useHidden(virtualizer: RowVirtualizer, hidden: ReadonlySet<number>): void {
  useLayoutEffect(() => {
    for (const index of [...hidden].sort((a, b) => b - a)) {
      if (virtualizer.itemSizeCache.get(index) !== 0) {
        virtualizer.resizeItem(index, 0);
      }
    }
  }, [virtualizer, hidden]);
}

/**
 * Records the rows on screen as soon as they are drawn, and requests those around them from the
 * host, at most once per frame and only when needed.
 */
function useWindow(state: TranscriptState, virtualizer: RowVirtualizer): void {
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

/** Scrolls to the latest revealed entry and, unless it is a match of Find, focuses it. */
function useReveal(
  state: TranscriptState,
  virtualizer: RowVirtualizer,
  scroller: RefObject<HTMLElement | null>,
): void {
  const reveal = state.reveal.value;
  const index = reveal && state.rows.getRow(reveal.index);
  const focus = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (!reveal || index === undefined) {
      return;
    }
    const isMatch = reveal.as === 'match';
    state.active.value = index;
    state.folds.openAll(isMatch || reveal.words ? reveal.index : undefined);
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

/**
 * When the focused row is scrolled out of the DOM, the list takes the focus, so that keys keep
 * working. The focus is also restored when the user returns to the page from elsewhere in VS Code.
 */
function useKeepFocus(scroller: RefObject<HTMLElement | null>): void {
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

interface RowProps {
  readonly item: VirtualItem;
  readonly count: number;
  /** The only row in the tab order. */
  readonly inTabOrder: boolean;
  /** Starts measuring a row; returns a function that stops it. */
  readonly measure: (row: HTMLElement) => () => void;
}

/**
 * One positioned row. Until its entry arrives, it has the list's estimated height and isn't
 * measured, so that the first measurement is the entry's.
 */
function Row({ item, count, inTabOrder, measure }: RowProps): VNode {
  const { state } = useTranscript();
  const entry = state.entry(item.index).value;
  const isHere = entry !== undefined;
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(
    () => (isHere && row.current ? measure(row.current) : undefined),
    [isHere, measure],
  );
  const run = state.rows.runAt(item.index);
  const reviewed = state.review.ends.value.get(item.index);
  const unrecorded = state.review.unrecorded.value.get(item.index);
  const uncertain = state.review.uncertain.value.get(item.index);
  const isRestorable = entry?.kind === 'user' && state.review.isRestorable(item.index);
  const turn = state.review.findTurn(item.index);
  const isBranchable = entry?.kind === 'user' && state.isBranchable(item.index);
  return (
    <article
      ref={row}
      class={state.preview.value === item.index ? 'row row-shown' : 'row'}
      data-index={item.index}
      data-vscode-context={JSON.stringify({
        webviewSection: 'entry',
        entry: item.index,
        ...(run && { last: state.rows.lastAt(item.index) }),
        ...(isRestorable && { acpSessionsRestorable: true }),
        ...(turn !== undefined && { acpSessionsReviewed: turn }),
        ...(isBranchable && { acpSessionsBranchable: true }),
      })}
      style={{
        transform: `translateY(${item.start}px)`,
        height: entry ? undefined : `${item.size}px`,
      }}
      tabIndex={inTabOrder ? 0 : -1}
      aria-posinset={item.index + 1}
      aria-setsize={count}
      aria-label={findLabel(state, item.index, run) ?? l10n.t('Entry is loading')}
      aria-busy={!entry}
      onFocusIn={() => {
        state.active.value = item.index;
      }}
    >
      {run && <RunLine run={run} />}
      {entry && !(run && !state.rows.isCallOpen(run, item.index)) && (
        <Content index={item.index} entry={entry} />
      )}
      {entry && reviewed?.map((turn) => <TurnReview key={turn.turn} turn={turn} />)}
      {entry && unrecorded && <Unrecorded reason={unrecorded} />}
      {entry && uncertain && <Uncertain turn={uncertain} />}
      {!entry && <div class="placeholder" />}
    </article>
  );
}

/** The row's accessible name, once its entry is here. */
function findLabel(
  state: TranscriptState,
  index: number,
  run: CallRun | undefined,
): string | undefined {
  const agentTitle = state.agentTitle.value;
  const [entry, ...questions] = [index, ...state.rows.getQuestions(index)].map(
    (each) => state.entry(each).value,
  );
  const asked = questions.find(
    (question) => question?.kind === 'permission' && question.state.kind === 'waiting',
  );
  return run && entry
    ? runLabel(getCalls(state, run))
    : entry && entryLabel(asked ?? entry, agentTitle);
}

interface ContentProps {
  readonly index: number;
  readonly entry: DrawnEntry;
}

/** Re-renders only when the entry changes: rows move far more often than they change. */
class Content extends Component<ContentProps> {
  override shouldComponentUpdate(next: ContentProps): boolean {
    return next.entry !== this.props.entry || next.index !== this.props.index;
  }

  override render({ index, entry }: ContentProps): ComponentChildren {
    return (
      <EntryIndexContext.Provider value={index}>
        <EntryContent entry={entry} />
      </EntryIndexContext.Provider>
    );
  }
}
