import * as vscode from 'vscode';
import { textUris } from '../files/openDocuments';
import { realPath } from '../files/realPath';

/** The files that are open in this window, by their real paths. */
export interface OpenFiles {
  /** Documents that are in an editor or have unsaved changes; of several for one file, the one with unsaved changes. */
  readonly documents: ReadonlyMap<string, vscode.TextDocument>;
  /** Files with unsaved changes in other editors: notebooks and custom editors. */
  readonly dirtyElsewhere: ReadonlySet<string>;
}

export async function openFiles(): Promise<OpenFiles> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = new Set(tabs.flatMap(textUris).map(String));
  const documents = new Map<string, vscode.TextDocument>();
  for (const document of vscode.workspace.textDocuments) {
    const counts = document.isDirty || shown.has(document.uri.toString()) || isVisible(document);
    const real = counts ? await realPathOf(document.uri) : undefined;
    if (real !== undefined && documents.get(real)?.isDirty !== true) {
      documents.set(real, document);
    }
  }
  const dirty = await Promise.all(tabs.filter(({ isDirty }) => isDirty).map(otherFile));
  return { documents, dirtyElsewhere: new Set(dirty.filter((file) => file !== undefined)) };
}

/** The text of a file's document that the user hasn't saved. */
export async function unsavedText(real: string): Promise<string | undefined> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && (await realPathOf(document.uri)) === real) {
      return document.getText();
    }
  }
  return undefined;
}

/** Also in a multi-diff editor, whose files the API doesn't tell. */
function isVisible(document: vscode.TextDocument): boolean {
  return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}

async function otherFile({ input }: vscode.Tab): Promise<string | undefined> {
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook
    ? realPathOf(input.uri)
    : undefined;
}

/** A document of a deleted file is still one of that file. */
async function realPathOf({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  return scheme === 'file' ? ((await realPath(fsPath)) ?? fsPath) : undefined;
}
