import * as vscode from 'vscode';
import { type FileEdit, maxEditedFiles } from '../../../model/requests/filesEdit';
import type { ServedSession } from '../../../model/session/ownServers';
import { ToolRefusal } from '../model/tool';
import { nameOf, readable } from './filePlaces';

export type TextChanges = readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];

/** The changes of an edit, if it does nothing else: files that it creates, moves or deletes couldn't be shown. */
export function changesOf(edit: vscode.WorkspaceEdit): TextChanges {
  const changes = edit.entries();
  const count = changes.reduce((sum, [, edits]) => sum + edits.length, 0);
  if (countAll(edit) > count) {
    throw new ToolRefusal(
      'This also creates, moves or deletes files, or asks for input, which the tools can’t do. Ask the user to do it in the editor.',
    );
  }
  return changes;
}

/** How many steps an edit has. VS Code tells extensions only of those that change texts, but has this method itself. */
function countAll(edit: vscode.WorkspaceEdit): number {
  const all: unknown = Reflect.get(edit, '_allEntries');
  const entries: unknown = typeof all === 'function' ? Reflect.apply(all, edit, []) : undefined;
  return Array.isArray(entries) ? entries.length : 0;
}

/** The files as they are and as they would be. All of them must be the session's, and saved. */
export async function editsOf(
  changes: TextChanges,
  session: ServedSession,
): Promise<readonly FileEdit[]> {
  if (changes.length > maxEditedFiles) {
    throw new ToolRefusal(
      `This changes ${changes.length} files. The user can look through ${maxEditedFiles} at most.`,
    );
  }
  const allowed = await readable(
    changes.map(([uri]) => uri),
    session,
  );
  const outside = changes.filter(([uri]) => !allowed.has(uri.toString())).length;
  if (outside > 0) {
    throw new ToolRefusal(
      `This also changes ${outside} files outside this session's folders, or that may not be read. Nothing was changed.`,
    );
  }
  const files: FileEdit[] = [];
  for (const [uri, edits] of changes) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty) {
      throw new ToolRefusal(
        `${nameOf(uri, session)} has unsaved changes of the user. Ask the user to save or revert them.`,
      );
    }
    const oldText = document.getText();
    const newText = changedText(document, edits);
    if (newText !== oldText) {
      files.push({ path: uri.fsPath, oldText, newText });
    }
  }
  return files;
}

/** What a document becomes. */
function changedText(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  const text = document.getText();
  const sorted = edits
    .map(({ range, newText }) => ({
      from: document.offsetAt(range.start),
      to: document.offsetAt(range.end),
      newText,
    }))
    // Stable: insertions at one place keep their order.
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const parts: string[] = [];
  let end = 0;
  for (const { from, to, newText } of sorted) {
    if (from < end) {
      throw new ToolRefusal('The changes of the language server contradict each other.');
    }
    parts.push(text.slice(end, from), newText);
    end = to;
  }
  return [...parts, text.slice(end)].join('');
}
