import * as vscode from 'vscode';
import { plainMessage } from './messages';

/** Says how far the work is; `increment` in percent of the whole. */
export type ReportProgress = (message: string, increment?: number) => void;

/** Work that a notification shows, and that the user can cancel there: it's told by the signal. */
export function withCancel<T>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainMessage(title),
    cancellable: true,
  };
  const shown = vscode.window.withProgress(options, async (progress, token): Promise<T> => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (message, increment) =>
        progress.report({
          message: plainMessage(message),
          ...(increment !== undefined && { increment }),
        }),
      );
    } finally {
      listener.dispose();
    }
  });
  return Promise.resolve(shown);
}
