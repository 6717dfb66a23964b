import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reviewCommandIds } from '../review/commandIds';
import type { RequestPicker } from './requestPicker';

/**
 * "Next Request": goes through the requests of all sessions, one after the other; when none waits,
 * through the changes to review.
 */
export async function nextRequest(requests: RequestPicker): Promise<void> {
  if (await requests.showNext()) {
    return;
  }
  if (requests.hasReviews) {
    await vscode.commands.executeCommand(reviewCommandIds.nextReviewed);
  } else {
    vscode.window.setStatusBarMessage(l10n.t('No agent is waiting for an answer'), 3000);
  }
}
