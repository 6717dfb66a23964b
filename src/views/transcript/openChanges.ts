import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../model/session';
import { showInformationMessage } from '../../platform/messages';
import type { PathContext } from '../../platform/openers';
import type { ReadOnlyDocuments } from '../../platform/readOnlyDocuments';
import { sessionFile } from './sessionFiles';

type RecordedChange = Session['changes']['files'][number];

/** More files don't open at once. */
const maxFiles = 200;

/** Where each change is shown: on the left as it was, on the right as the file is now. */
interface Sides {
  readonly file: vscode.Uri;
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
}

/** Opens all changes of a session in VS Code's editor for several diffs. */
export async function openChanges(
  documents: ReadOnlyDocuments,
  changes: readonly RecordedChange[],
  title: string,
  context: PathContext,
): Promise<void> {
  if (changes.length === 0) {
    void showInformationMessage(l10n.t('This session has changed no files yet.'));
    return;
  }
  const shown = changes.slice(0, maxFiles);
  const sides = await Promise.all(shown.map((change) => sidesOf(documents, change, context)));
  const name =
    shown.length < changes.length
      ? l10n.t('Changes: {0} ({1} of {2} files)', title, shown.length, changes.length)
      : l10n.t('Changes: {0}', title);
  await vscode.commands.executeCommand(
    'vscode.changes',
    name,
    sides.map(({ file, before, now }) => [file, before, now]),
  );
}

/** Opens the change of one file against the file as it is. */
export async function openChange(
  documents: ReadOnlyDocuments,
  change: RecordedChange,
  context: PathContext,
): Promise<void> {
  const { before, now } = await sidesOf(documents, change, context);
  const title = l10n.t('{0} (before the session ↔ now)', path.basename(change.path));
  await vscode.commands.executeCommand('vscode.diff', before, now, title);
}

async function sidesOf(
  documents: ReadOnlyDocuments,
  { path: file, oldText, newText }: RecordedChange,
  context: PathContext,
): Promise<Sides> {
  const found = await sessionFile(file, context);
  if (found.kind === 'there') {
    const uri = vscode.Uri.file(found.path);
    return { file: uri, before: documents.addStateOf(uri, oldText ?? ''), now: uri };
  }
  const name = path.basename(file);
  const before = documents.add(name, oldText ?? '');
  // A file that isn't the session's is not opened: what was recorded of it is shown.
  const now = found.kind === 'missing' ? '' : newText;
  return { file: before, before, now: documents.add(name, now) };
}
