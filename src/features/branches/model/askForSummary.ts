import * as l10n from '@vscode/l10n';
import type { Session } from '../../../model/session/session';
import type { Entry } from '../../../shared/transcript/entries';
import { DisposableStore } from '../../../util/disposable';

/** Why a session's agent can't be asked now; `undefined` if it can. */
export function whyNotAsked({ phase, turns, writable }: Session): string | undefined {
  if (writable.kind === 'no') {
    return writable.reason;
  }
  if (phase.kind !== 'ready' && phase.kind !== 'resumed') {
    return l10n.t('The session isn’t open.');
  }
  return turns.current.kind === 'idle' && turns.queue.length === 0
    ? undefined
    : l10n.t('The session is at work.');
}

/**
 * Asks a session's own agent for a summary of it, with one prompt in the session, and resolves with what it answers:
 * empty if the turn failed or was stopped. When `signal` aborts, the turn is stopped, and this rejects.
 */
export async function askForSummary(session: Session, signal: AbortSignal): Promise<string> {
  const { turns, transcript } = session;
  signal.throwIfAborted();
  const from = transcript.entries.length;
  const text = l10n.t(
    'Summarize this conversation for another agent that continues the work: the goal, what has been decided, what is done, what is left to do, and the names of the files that matter. Don’t change any file.',
  );
  const { id } = turns.submit({ text, attachments: [] });
  const isQueued = (): boolean => turns.queue.some((queued) => queued.id === id && !queued.held);
  const isOver = (): boolean =>
    signal.aborted || isClosed(session) || (turns.current.kind !== 'running' && !isQueued());
  await until(isOver, session, signal);
  if (signal.aborted) {
    // Before it is sent, only the prompt is taken back.
    if (turns.removeQueued(id) === undefined) {
      turns.cancel();
    }
    signal.throwIfAborted();
  }
  return answerIn(transcript.entries.slice(from));
}

async function until(isOver: () => boolean, session: Session, signal: AbortSignal): Promise<void> {
  const store = new DisposableStore();
  try {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (isOver()) {
          resolve();
        }
      };
      store.add(session.onDidChangeState(look));
      signal.addEventListener('abort', look);
      store.add({ dispose: () => signal.removeEventListener('abort', look) });
      look();
    });
  } finally {
    store.dispose();
  }
}

function isClosed({ phase }: Session): boolean {
  return phase.kind === 'failed' || phase.kind === 'cancelled';
}

function answerIn(entries: readonly Entry[]): string {
  if (entries.some(({ kind }) => kind === 'turn')) {
    return '';
  }
  return entries
    .flatMap((entry) => (entry.kind === 'agent' ? entry.blocks : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
}
