import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showWarningMessage } from './messages';

/** Says why something needs a trusted workspace, with a way to trust it. */
export async function tellUntrusted(message: string): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  if ((await showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}
