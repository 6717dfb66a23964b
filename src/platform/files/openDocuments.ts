import * as vscode from 'vscode';
import { realPath } from './realPath';

/**
 * The document of a file that has unsaved changes or is shown in an editor, preferably the former;
 * compares real paths.
 */
export async function findOpenDocument(file: string): Promise<vscode.TextDocument | undefined> {
  const shown = new Set(tabs().flatMap((tab) => textUris(tab).map(String)));
  const open = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty || shown.has(document.uri.toString()),
  );
  const own = await filterAsync(open, (document) => leadsTo(document.uri, file));
  return own.find((document) => document.isDirty) ?? own[0];
}

/**
 * Whether an editor other than a text editor (a notebook, a custom editor) has unsaved changes to a
 * file.
 */
export async function isDirtyElsewhere(file: string): Promise<boolean> {
  const uris = tabs()
    .filter((tab) => tab.isDirty)
    .map(({ input }) => input)
    .filter(
      (input) => input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook,
    )
    .map(({ uri }) => uri);
  return (await filterAsync(uris, (uri) => leadsTo(uri, file))).length > 0;
}

/** The tab of a diff that has this document on its right side. */
export function findDiffTab(modified: vscode.Uri): vscode.Tab | undefined {
  return tabs().find(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString(),
  );
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The URIs of a tab's texts. */
export function textUris({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText) {
    return [input.uri];
  }
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

/** A file may be open under the name of a link to it. */
async function leadsTo(uri: vscode.Uri, file: string): Promise<boolean> {
  if (uri.scheme !== 'file') {
    return false;
  }
  return uri.fsPath === file || (await realPath(uri.fsPath)) === file;
}

async function filterAsync<T>(
  items: readonly T[],
  accepts: (item: T) => Promise<boolean>,
): Promise<T[]> {
  const accepted = await Promise.all(items.map(accepts));
  return items.filter((_, index) => accepted[index]);
}
