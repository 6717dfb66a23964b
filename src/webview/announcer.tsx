import { useSignal, useSignalEffect } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { DrawnEntry } from '../shared/drawn';
import type { Phase } from '../shared/messages';
import { useSessionPart, useTranscript } from './context';
import { entryCount } from './counts';
import type { TranscriptState } from './state';

/** Tells screen readers, once, what can be seen by everybody else: politely, and at once what waits for them. */
export function Announcer(): VNode {
  const { state } = useTranscript();
  const text = useSignal('');
  useSignalEffect(() => {
    const phase = state.phase.value;
    if (phase) {
      // Once for each phase, not for each entry of a turn that goes on.
      text.value = announcement(phase, state.count.peek());
    }
  });
  return (
    <>
      <div class="sr-only" role="status" aria-live="polite">
        {text}
      </div>
      <TurnEnds />
      <Requests />
    </>
  );
}

function announcement(phase: Phase, count: number): string {
  switch (phase.kind) {
    case 'loading':
      return l10n.t('Loading the session');
    case 'ready':
      return count === 0 ? l10n.t('New session') : l10n.t('Loaded {0}', entryCount(count));
    case 'empty':
      return l10n.t('The agent sent no history');
    case 'resumed':
      return l10n.t('Continued without its history');
    case 'cancelled':
      return l10n.t('Loading was cancelled');
    case 'failed':
      return l10n.t('Loading failed: {0}', phase.failure.title);
  }
}

/** The end of a turn that was seen to run. */
function TurnEnds(): VNode {
  const { state } = useTranscript();
  const kind = useSessionPart('turn')?.kind;
  const hasRun = useRef(false);
  hasRun.current ||= kind === 'running';
  const hasEnded = hasRun.current && kind === 'idle';
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {hasEnded && l10n.t('The turn of {0} has ended', agentOf(state))}
    </div>
  );
}

/** A request as it comes: not those that have waited longer, nor again once its row is scrolled out and gone. */
function Requests(): VNode {
  const { state } = useTranscript();
  const newest = useSessionPart('waiting')?.at(-1);
  const entry = newest === undefined ? undefined : state.entry(newest).value;
  const said = useRef<{ readonly index: number; readonly text: string } | undefined>(undefined);
  if (newest === undefined) {
    said.current = undefined;
  } else if (said.current === undefined || newest > said.current.index) {
    said.current = { index: newest, text: requestText(entry, agentOf(state)) };
  }
  return (
    <div class="sr-only" role="alert">
      {newest === said.current?.index && said.current?.text}
    </div>
  );
}

function requestText(entry: DrawnEntry | undefined, agentTitle: string): string {
  switch (entry?.kind) {
    case 'permission':
      return l10n.t('{0} asks for permission: {1}', agentTitle, entry.toolCall.title);
    case 'elicitation':
      return l10n.t('{0} asks: {1}', agentTitle, entry.message);
    default:
      return l10n.t('{0} needs your answer', agentTitle);
  }
}

function agentOf(state: TranscriptState): string {
  return state.header.value?.agentTitle ?? l10n.t('The agent');
}
