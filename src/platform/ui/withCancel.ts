import * as vscode from 'vscode';
import { plainMessage } from './messages';

/** Says how far the work is; `increment` in percent of the whole. */
export type ReportProgress = (message: string, increment?: number) => void;

type CancelableWork<T> = (signal: AbortSignal, report: ReportProgress) => Promise<T>;

/** Work that a notification shows, and that the user can cancel there: it's told by the signal. */
export function withCancel<T>(title: string, work: CancelableWork<T>): Promise<T> {
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

/** The same; `undefined` when the user has canceled. */
export function orCanceled<T>(title: string, work: CancelableWork<T>): Promise<T | undefined> {
  return withCancel(title, async (signal, report) => {
    try {
      return await work(signal, report);
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      throw error;
    }
  });
}
