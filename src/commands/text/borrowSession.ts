import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionName } from '../../model/agents/whose';
import { plainMessage, showWarningMessage } from '../../platform/ui/messages';
import { type TextSource, textSourceOf } from '../../views/transcript/text/sessionText';
import { canDo } from '../agents/abilities';
import type { CommandServices } from '../session/commandServices';
import { type CommandTarget, openSessionOf } from '../session/sessionTarget';

/**
 * Reads a session's text and runs `work` with it, showing progress that can be canceled. A session that
 * isn't open is loaded in the background and closed again, unless a tab shows it by then.
 */
export async function withText<T>(
  services: CommandServices,
  target: CommandTarget,
  doing: (session: string) => string,
  work: (source: TextSource, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const title = plainMessage(doing(sessionName(target)));
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
      const loading = (count: number): void =>
        progress.report({
          message: count > 0 ? l10n.t('{0} updates read', count) : l10n.t('loading'),
        });
      const source = await read(services, target, loading, abort.signal);
      return source && work(source, abort.signal);
    },
  );
}

async function read(
  services: CommandServices,
  target: CommandTarget,
  loading: (count: number) => void,
  signal: AbortSignal,
): Promise<TextSource | undefined> {
  const { agent, info } = target;
  if (openSessionOf(services, target) === undefined && !(await canDo(agent, 'load'))) {
    return undefined;
  }
  // Polled: thousands of updates can arrive in a second, and each would be shown.
  const timer = setInterval(
    () => loading(openSessionOf(services, target)?.transcript.updates ?? 0),
    500,
  );
  try {
    return await services.readers.read(agent, info, signal, (session, isBorrowed) => {
      if (isBorrowed && session.phase.kind === 'failed') {
        const { title, detail } = session.phase.failure;
        void showWarningMessage(
          l10n.t('{0} could not be read. {1}. {2}', sessionName(target), title, detail),
        );
        return undefined;
      }
      return textSourceOf(session);
    });
  } finally {
    clearInterval(timer);
  }
}
