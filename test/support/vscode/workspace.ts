import path from 'node:path';
import type * as vscode from 'vscode';
import { getConfiguration, onDidChangeConfiguration } from './configuration';
import { documents } from './documents';
import { applyEdit } from './edits';
import { EventEmitter, never } from './events';
import { fileSystem, registerFileSystemProvider } from './fileSystem';
import { Uri } from './uri';

const foldersChanged = new EventEmitter<vscode.WorkspaceFoldersChangeEvent>();
let folders: readonly vscode.WorkspaceFolder[] | undefined;

/** Opens this folder in the window, without telling the extension. */
export function openFolder(folder: string | undefined): void {
  folders =
    folder === undefined
      ? undefined
      : [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }];
}

function folderOf({ scheme, fsPath }: vscode.Uri): vscode.WorkspaceFolder | undefined {
  return folders?.find(
    ({ uri }) => scheme === 'file' && `${fsPath}${path.sep}`.startsWith(`${uri.fsPath}${path.sep}`),
  );
}

export const workspace = {
  get textDocuments() {
    return documents.textDocuments;
  },
  openTextDocument: documents.openTextDocument,
  onDidOpenTextDocument: documents.onDidOpenTextDocument,
  onDidCloseTextDocument: documents.onDidCloseTextDocument,
  onDidChangeTextDocument: documents.onDidChangeTextDocument,
  onDidSaveTextDocument: documents.onDidSaveTextDocument,
  ...{ onWillSaveTextDocument: never, onWillSaveNotebookDocument: never },
  ...{ onDidSaveNotebookDocument: never, onWillDeleteFiles: never, onDidDeleteFiles: never },
  ...{ onWillRenameFiles: never, onDidRenameFiles: never },
  registerTextDocumentContentProvider: documents.registerTextDocumentContentProvider,
  get workspaceFolders() {
    return folders;
  },
  onDidChangeWorkspaceFolders: foldersChanged.event,
  isTrusted: true,
  onDidGrantWorkspaceTrust: never,
  getWorkspaceFolder: folderOf,
  asRelativePath: (given) => {
    const uri = typeof given === 'string' ? Uri.file(given) : given;
    const folder = folderOf(uri);
    return folder === undefined ? uri.fsPath : path.relative(folder.uri.fsPath, uri.fsPath);
  },
  applyEdit,
  getConfiguration,
  onDidChangeConfiguration,
  fs: fileSystem as unknown as vscode.FileSystem,
  registerFileSystemProvider,
  /** Nothing is watched: what depends on that is tested in a window. */
  createFileSystemWatcher: () => ({
    ...{ ignoreCreateEvents: false, ignoreChangeEvents: false, ignoreDeleteEvents: false },
    ...{ onDidCreate: never, onDidChange: never, onDidDelete: never },
    dispose: () => undefined,
  }),
  findFiles: () => Promise.resolve([]),
  decode: (bytes: Uint8Array) => Promise.resolve(new TextDecoder().decode(bytes)),
  encode: (text: string) => Promise.resolve(new TextEncoder().encode(text)),
} satisfies Partial<typeof vscode.workspace>;
