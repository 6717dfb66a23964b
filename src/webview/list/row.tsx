import type { VirtualItem } from '@tanstack/virtual-core';
import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DrawnEntry } from '../../shared/transcript/drawn';
import { EntryContent, entryLabel } from '../entries/entry';
import { TurnReview, Uncertain, Unrecorded } from '../entries/turnReview';
import type { CallRun } from '../rows/rows';
import { EntryIndexContext, useTranscript } from '../state/context';
import type { TranscriptState } from '../state/state';
import { callsOf, RunLine, runLabel } from '../toolCalls/run';

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
export function Row({ item, count, inTabOrder, measure }: RowProps): VNode {
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
        ...(isBranchable && { acpSessionsBranchable: true }),
      })}
      style={{
        transform: `translateY(${item.start}px)`,
        height: entry ? undefined : `${item.size}px`,
      }}
      tabIndex={inTabOrder ? 0 : -1}
      aria-posinset={item.index + 1}
      aria-setsize={count}
      aria-label={labelOf(state, item.index, run) ?? l10n.t('Entry is loading')}
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
function labelOf(
  state: TranscriptState,
  index: number,
  run: CallRun | undefined,
): string | undefined {
  const agentTitle = state.agentTitle.value;
  const [entry, ...questions] = [index, ...state.rows.questionsOf(index)].map(
    (each) => state.entry(each).value,
  );
  const asked = questions.find(
    (question) => question?.kind === 'permission' && question.state.kind === 'waiting',
  );
  return run && entry
    ? runLabel(callsOf(state, run))
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
