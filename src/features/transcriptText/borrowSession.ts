import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canDo } from '../../commands/agents/abilities';
import { type CommandTarget, findOpenSession } from '../../commands/session/sessionTarget';
import { sessionName } from '../../model/agents/whose';
import { cleanText } from '../../model/text/titles';
import {
  plainMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { exactTime } from '../../views/dates';
import { getTextSource, type TextSource } from './model/sessionText';
import type { TextServices } from './textServices';

/**
 * Reads a session's text and runs `work` with it, showing progress that can be canceled. A session that
 * isn't open is loaded in the background and closed again, unless a tab shows it by then.
 */
export async function withText<T>(
  services: TextServices,
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
  services: TextServices,
  target: CommandTarget,
  loading: (count: number) => void,
  signal: AbortSignal,
): Promise<TextSource | undefined> {
  const { agent, info } = target;
  const isOpen = findOpenSession(services, target) !== undefined;
  const able = isOpen ? Promise.resolve(true) : canDo(agent, 'load');
  // Of an agent that can't be reached, something may be cached.
  if (!(await able.catch(() => true))) {
    return undefined;
  }
  // Polled: thousands of updates can arrive in a second, and each would be shown.
  const timer = setInterval(
    () => loading(findOpenSession(services, target)?.transcript.updates ?? 0),
    500,
  );
  try {
    return await services.readers.read(agent, info, signal, async (session, isBorrowed) => {
      if (isBorrowed && session.phase.kind === 'failed' && !session.shown.isCached) {
        // Rejects with the reason if it can't be reached.
        await able;
        const { title, detail } = session.phase.failure;
        void showWarningMessage(
          l10n.t('{0} could not be read. {1}. {2}', sessionName(target), title, detail),
        );
        return undefined;
      }
      const source = getTextSource(session);
      const { cachedAt } = source.header;
      if (isBorrowed && cachedAt !== undefined) {
        void showInformationMessage(
          l10n.t(
            '{0} can’t be reached, so {1} is read as it was cached: {2}.',
            ...[cleanText(agent.title, 60), sessionName(target), exactTime(cachedAt)],
          ),
        );
      }
      return source;
    });
  } finally {
    clearInterval(timer);
  }
}
