import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RegistryError } from '../../../model/registry/registryError';
import { commandIds } from '../../../platform/ids';
import { showErrorMessage } from '../../../platform/ui/messages';
import { type ReportProgress, withCancel } from '../../../platform/ui/withCancel';

/**
 * Work that the user waits for and can cancel. Tells why it failed if the registry, a server or an archive is to blame;
 * `undefined` then, and if it was canceled.
 */
export async function withTrouble<T>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
): Promise<T | undefined> {
  return withCancel(title, async (signal, report) => {
    try {
      return await work(signal, report);
    } catch (error) {
      if (error instanceof RegistryError) {
        tellTrouble(error.message);
      } else if (!signal.aborted) {
        throw error;
      }
      return undefined;
    }
  });
}

/** Says what went wrong, with a way to the details. The message stays as long as the user likes; nothing waits for that. */
export function tellTrouble(message: string): void {
  const showLog = l10n.t('Show Log');
  void showErrorMessage(message, showLog).then((answer) =>
    answer === showLog ? vscode.commands.executeCommand(commandIds.showAgentLog) : undefined,
  );
}
