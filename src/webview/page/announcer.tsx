import { useSignal, useSignalEffect } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DrawnEntry } from '../../shared/transcript/drawn';
import { endsTurn } from '../../shared/transcript/entries';
import { silentTurnWords } from '../../shared/transcript/silentTurnWords';
import type { Phase } from '../../shared/transcript/webviewMessages';
import { useSessionPart, useTranscript } from '../state/context';
import type { TranscriptState } from '../state/state';
import { entryCount, unsentCount } from '../words/counts';
import { SpokenAnswer } from './spokenAnswer';

/**
 * Live regions for screen readers: each visible change is announced once, politely; pending
 * requests assertively.
 */
export function Announcer(): VNode {
  const { state } = useTranscript();
  const text = useSignal('');
  useSignalEffect(() => {
    const phase = state.phase.value;
    if (phase) {
      // Once per phase, not for each entry of a turn.
      text.value = announcement(phase, state.count.peek(), state.agentTitle.peek());
    }
  });
  return (
    <>
      <div class="sr-only" role="status" aria-live="polite">
        {text}
      </div>
      <Answer />
      <TurnEnds />
      <StopHint />
      <Requests />
    </>
  );
}

function announcement(phase: Phase, count: number, agentTitle: string): string {
  switch (phase.kind) {
    case 'loading':
      return l10n.t('Loading the session');
    case 'ready':
      return count === 0 ? l10n.t('New session') : l10n.t('Loaded {0}', entryCount(count));
    case 'empty':
      return l10n.t('{0} sent no history', agentTitle);
    case 'resumed':
      return l10n.t('Continued without its history');
    case 'cancelled':
      return l10n.t('Loading was canceled');
    case 'failed':
      return l10n.t('Loading failed: {0}', phase.failure.title);
  }
}

/**
 * Time between two additions, in milliseconds. While a turn runs, the answer is polled: it may arrive
 * in hundreds of chunks per second, and an effect would run for each of them.
 */
const interval = 500;
/** Pieces kept, since a screen reader may not have read a removed one yet. */
const maxPieces = 10;

/** Announces a turn's answer as it arrives, in whole sentences. */
function Answer(): VNode {
  const { state } = useTranscript();
  const isRunning = useSessionPart('turn')?.kind === 'running';
  const pieces = useSignal<readonly { readonly key: number; readonly text: string }[]>([]);
  useEffect(() => {
    if (!isRunning) {
      return undefined;
    }
    const answer = new SpokenAnswer(startOfAnswer(state));
    const say = (isOver: boolean): void => {
      const count = state.count.peek();
      const text = answer.next({ count, getText: (index) => answerText(state, index) }, isOver);
      if (text !== '') {
        const key = (pieces.peek().at(-1)?.key ?? 0) + 1;
        pieces.value = [...pieces.peek(), { key, text }].slice(-maxPieces);
      }
    };
    const timer = setInterval(() => say(false), interval);
    return () => {
      clearInterval(timer);
      say(true);
    };
  }, [state, isRunning, pieces]);
  return (
    <div class="sr-only" role="log" aria-live="polite" aria-relevant="additions">
      {pieces.value.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

/**
 * The index after the newest prompt, as far as entries are held: the turn's state may arrive after
 * its first entries.
 */
function startOfAnswer(state: TranscriptState): number {
  let start = state.count.peek();
  while (start > 0 && isAnswer(state.entry(start - 1).peek())) {
    start--;
  }
  return start;
}

function isAnswer(entry: DrawnEntry | undefined): boolean {
  return entry !== undefined && entry.kind !== 'user' && entry.kind !== 'turn';
}

function answerText(state: TranscriptState, index: number): string {
  const entry = state.entry(index).peek();
  return entry?.kind === 'agent'
    ? entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
    : '';
}

/** Announces the end of a turn that was running while the page was open. */
function TurnEnds(): VNode {
  const { state } = useTranscript();
  const kind = useSessionPart('turn')?.kind;
  const hasRun = useRef(false);
  hasRun.current ||= kind === 'running';
  const hasEnded = hasRun.current && kind === 'idle';
  const held = (useSessionPart('queue') ?? []).filter((prompt) => prompt.held).length;
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {hasEnded && (
        <>
          <p>{endText(state)}</p>
          {held > 0 && <p>{unsentCount(held)}</p>}
        </>
      )}
    </div>
  );
}

function endText(state: TranscriptState): string {
  const agentTitle = state.agentTitle.peek();
  const last = state.entry(state.count.peek() - 1).value;
  return last?.kind === 'turn' && endsTurn(last.outcome)
    ? silentTurnWords(agentTitle)
    : l10n.t('The turn of {0} has ended', agentTitle);
}

/** Announces that the next press of Escape stops the turn. */
function StopHint(): VNode {
  const { state } = useTranscript();
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {state.stopKey.armed.value && l10n.t('Press Escape again to stop')}
    </div>
  );
}

/**
 * Announces a new request once: neither the older pending ones, nor again after its row has left
 * the DOM.
 */
function Requests(): VNode {
  const { state } = useTranscript();
  const newest = useSessionPart('waiting')?.at(-1);
  const entry = newest === undefined ? undefined : state.entry(newest).value;
  const said = useRef<{ readonly index: number; readonly text: string } | undefined>(undefined);
  if (newest === undefined) {
    said.current = undefined;
  } else if (said.current === undefined || newest > said.current.index) {
    said.current = { index: newest, text: requestText(entry, state.agentTitle.peek()) };
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
      return l10n.t(
        '{0} asks for permission: {1}',
        agentTitle,
        entry.title ?? entry.toolCall.title,
      );
    case 'elicitation':
      return l10n.t('{0} asks: {1}', agentTitle, entry.message);
    default:
      return l10n.t('{0} needs your answer', agentTitle);
  }
}
