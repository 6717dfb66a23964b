import type * as vscode from 'vscode';
import { editDocument } from './documents';

export class TextEdit implements Pick<vscode.TextEdit, 'range' | 'newText'> {
  readonly range: vscode.Range;
  readonly newText: string;

  constructor(range: vscode.Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
}

/** Edits of texts; no files are created, deleted or renamed. */
export class WorkspaceEdit implements Pick<vscode.WorkspaceEdit, 'entries'> {
  readonly #edits = new Map<vscode.Uri, readonly vscode.TextEdit[]>();

  set(uri: vscode.Uri, edits: readonly vscode.TextEdit[]): void {
    this.#edits.set(uri, edits);
  }

  delete(uri: vscode.Uri, range: vscode.Range): void {
    this.#edits.set(uri, [...(this.#edits.get(uri) ?? []), new TextEdit(range, '')]);
  }

  entries(): [vscode.Uri, vscode.TextEdit[]][] {
    return [...this.#edits].map(([uri, edits]) => [uri, [...edits]]);
  }
}

/**
 * Applies an edit as VS Code does by default: the files of a refactoring are saved; others are unsaved until they are.
 */
export async function applyEdit(
  edit: Pick<vscode.WorkspaceEdit, 'entries'>,
  { isRefactoring = false }: vscode.WorkspaceEditMetadata = {},
): Promise<boolean> {
  for (const [uri, edits] of edit.entries()) {
    const document = await editDocument(uri, edits);
    if (isRefactoring) {
      await document.save();
    }
  }
  return true;
}
