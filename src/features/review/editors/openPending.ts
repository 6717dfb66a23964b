import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile } from '../../../model/changes/reviews';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../../platform/ui/messages';
import { literalLine } from '../../../shared/literal';
import type { SessionReview } from '../model/review';

/** Opens a file that waits for review as a diff against its state without the pending changes. */
export async function openPendingChange(
  documents: ReadOnlyDocuments,
  review: Pick<SessionReview, 'baseline'>,
  { file, kind, form }: PendingFile,
): Promise<void> {
  const uri = vscode.Uri.file(file);
  const before = form === 'text' ? await review.baseline(file) : undefined;
  const name = literalLine(path.basename(file));
  if (before !== undefined) {
    const now = kind === 'deleted' ? documents.addState(uri, '', 'after') : uri;
    const title = l10n.t('{0} (before the changes ↔ now)', name);
    const old = documents.addState(uri, before ?? '', 'before');
    await vscode.commands.executeCommand('vscode.diff', old, now, title);
  } else if (kind === 'deleted') {
    void showInformationMessage(
      l10n.t('{0} was deleted, and its content isn’t text that can be shown.', name),
    );
  } else {
    await vscode.commands.executeCommand('vscode.open', uri);
  }
}
