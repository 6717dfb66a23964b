import * as l10n from '@vscode/l10n';
import type { Entry } from '../../shared/transcript/entries';
import { DisposableStore } from '../../util/disposable';
import type { Session } from './session';

/** Why a session's agent can't be asked now; `undefined` if it can. */
export function whyNotAsked({ phase, turns, writable }: Session): string | undefined {
  if (writable.kind === 'no') {
    return writable.reason;
  }
  if (phase.kind !== 'ready' && phase.kind !== 'resumed') {
    return l10n.t('The session isn’t open.');
  }
  // A prompt that was held back isn't sent by asking.
  return turns.current.kind === 'idle' && turns.queue.every(({ held }) => held)
    ? undefined
    : l10n.t('The session is at work.');
}

/**
 * Asks a session's agent with one prompt in the session, as the user would, and resolves with what it answers: empty if
 * the turn failed or was stopped. When `signal` aborts, the turn is stopped, and this rejects.
 */
export async function askInSession(
  session: Session,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  const { turns, transcript } = session;
  signal.throwIfAborted();
  const from = transcript.entries.length;
  const { id } = turns.submit({ text, attachments: [] });
  const isQueued = (): boolean => turns.queue.some((queued) => queued.id === id && !queued.held);
  await untilSession(session, signal, () => turns.current.kind !== 'running' && !isQueued());
  if (signal.aborted) {
    // Before it is sent, only the prompt is taken back.
    if (turns.removeQueued(id) === undefined) {
      turns.cancel();
    }
    signal.throwIfAborted();
  }
  return answerIn(transcript.entries.slice(from));
}

/** Resolves when this is true of the session, when it is closed, and when `signal` aborts. */
export async function untilSession(
  session: Session,
  signal: AbortSignal,
  isSo: () => boolean,
): Promise<void> {
  const store = new DisposableStore();
  try {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (signal.aborted || isClosed(session) || isSo()) {
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
