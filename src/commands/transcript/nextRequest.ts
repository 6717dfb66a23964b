import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Requests } from '../../views/dialogs/waitingRequests';

/** "Next Request": goes through the requests of all sessions, one after the other. */
export async function nextRequest(requests: Requests): Promise<void> {
  if (!(await requests.showNext())) {
    vscode.window.setStatusBarMessage(l10n.t('No agent is waiting for an answer'), 3000);
  }
}
