import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../model/titles';
import { plainMessage, showWarningMessage } from '../platform/messages';
import { type TextSource, textSourceOf } from '../views/transcript/sessionText';
import type { SessionCommands } from './sessions';
import { canDo, openSessionOf, type Target } from './target';

/** Who reads a session that was opened for that alone. */
const readers = new Map<object, number>();

/**
 * Reads a session for its text, then does `work` with it, with progress and a way to cancel. One that isn't
 * open is loaded in the background and closed again, unless a tab shows it by then.
 */
export async function withText<T>(
  commands: SessionCommands,
  target: Target,
  doing: (title: string) => string,
  work: (source: TextSource, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const title = plainMessage(doing(cleanText(target.title, 60)));
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
      const loading = (count: number): void =>
        progress.report({
          message: count > 0 ? l10n.t('{0} updates read', count) : l10n.t('loading'),
        });
      const source = await read(commands, target, loading, abort.signal);
      return source && work(source, abort.signal);
    },
  );
}

async function read(
  commands: SessionCommands,
  target: Target,
  loading: (count: number) => void,
  signal: AbortSignal,
): Promise<TextSource | undefined> {
  const { agent, info } = target;
  const open = openSessionOf(commands, target);
  if (open === undefined && !(await canDo(agent, 'load'))) {
    return undefined;
  }
  signal.throwIfAborted();
  const session = open ?? commands.sessions.open(agent, info);
  const isBorrowed = open === undefined || readers.has(session);
  if (isBorrowed) {
    readers.set(session, (readers.get(session) ?? 0) + 1);
  }
  const stop = (): void => session.cancelLoad();
  if (isBorrowed) {
    signal.addEventListener('abort', stop);
  }
  const timer = setInterval(() => loading(session.transcript.updates), 500);
  try {
    // A tab that failed to load has said so; what it has is its text.
    await (isBorrowed || session.phase.kind === 'loading' ? session.load() : undefined);
    signal.throwIfAborted();
    if (isBorrowed && session.phase.kind === 'failed') {
      const { title, detail } = session.phase.failure;
      void showWarningMessage(l10n.t('The session could not be read. {0}. {1}', title, detail));
      return undefined;
    }
    return textSourceOf(session);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    if (isBorrowed) {
      await giveBack(commands, target, session);
    }
  }
}

async function giveBack(
  { panels }: SessionCommands,
  { agent, info }: Target,
  session: ReturnType<SessionCommands['sessions']['open']>,
): Promise<void> {
  const left = (readers.get(session) ?? 1) - 1;
  if (left > 0) {
    readers.set(session, left);
    return;
  }
  readers.delete(session);
  if (panels.find(agent.id, info.sessionId) === undefined) {
    await session.close();
  }
}
