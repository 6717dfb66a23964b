import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Phase } from '../shared/messages';
import { useTranscript } from './context';
import { formatCount } from './format';

/** Tells screen readers, politely and once, what can be seen by everybody else. */
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
    <div class="sr-only" role="status" aria-live="polite">
      {text}
    </div>
  );
}

function announcement(phase: Phase, count: number): string {
  switch (phase.kind) {
    case 'loading':
      return 'Loading the session';
    case 'ready':
      return `Loaded ${formatCount(count, 'entry', 'entries')}`;
    case 'empty':
      return 'The agent sent no history';
    case 'cancelled':
      return 'Loading was cancelled';
    case 'failed':
      return `Loading failed: ${phase.failure.title}`;
  }
}
