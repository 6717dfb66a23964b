import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { fileName, getName, type Naming } from '../editors/pendingChanges';
import type { InterruptedDecision, Outcome } from '../model/review';

/** Offers to complete a decision that a crash interrupted, or to go back. Nothing is done unless the user says so. */
export async function askAboutInterrupted(
  interrupted: InterruptedDecision,
  naming: Naming,
): Promise<void> {
  const { what, done, left } = interrupted;
  const name = getName(interrupted.review, naming);
  const all = done.length + left.length;
  const text =
    what === 'undo'
      ? l10n.t(
          'Undoing the changes of {0} was interrupted. Files done: {1} of {2}.',
          name,
          done.length,
          all,
        )
      : l10n.t(
          'Restoring the files of {0} was interrupted. Files done: {1} of {2}.',
          name,
          done.length,
          all,
        );
  const complete = l10n.t('Continue');
  const goBack = l10n.t('Go Back');
  const show = l10n.t('Show');
  const detail = l10n.t(
    'Continue completes it, Go Back reverts what was done. Until then, you are asked whenever the window opens.',
  );
  // A message that hides by itself could be missed.
  const answer = await showWarningMessage(text, { modal: true, detail }, complete, goBack, show);
  if (answer === complete) {
    tell(await interrupted.goOn());
  } else if (answer === goBack) {
    tell(await interrupted.goBack());
  } else if (answer === show) {
    await showFiles(interrupted);
    await askAboutInterrupted(interrupted, naming);
  }
}

function tell({ leftAlone }: Outcome): void {
  if (leftAlone.length > 0) {
    const names = leftAlone.map(({ file }) => fileName(file)).slice(0, 5);
    void showInformationMessage(l10n.t('These files were left as they are: {0}', names.join(', ')));
  }
}

async function showFiles({ done, left }: InterruptedDecision): Promise<void> {
  const item = (file: string, description: string) => ({
    label: fileName(file),
    description,
    detail: vscode.workspace.asRelativePath(file),
    file,
  });
  const items = [
    ...done.map((file) => item(file, l10n.t('done'))),
    ...left.map((file) => item(file, l10n.t('not done'))),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Files of the Interrupted Decision'),
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(picked.file));
  }
}
