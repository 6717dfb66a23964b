import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { WorktreeTrouble } from '../model/trouble';

/**
 * Asks for the worktree that gets changes, if there are several; `undefined`: the user cancels. Rejects with
 * `WorktreeTrouble` if there is none.
 */
export async function pickDestination<Destination extends vscode.QuickPickItem>(
  all: readonly Destination[],
  title: string,
): Promise<Destination | undefined> {
  if (all.length === 0) {
    throw new WorktreeTrouble('noWorkspace');
  }
  return all.length === 1
    ? all[0]
    : vscode.window.showQuickPick(all, {
        title,
        placeHolder: l10n.t('To which folder?'),
        ignoreFocusOut: true,
      });
}
