import * as vscode from 'vscode';
import type { Workspace, WorkspaceFolder } from '../../model/ports';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';

/**
 * The window's folders on disk. Folders of other file systems have no path that an agent could use.
 */
export class VsCodeWorkspace implements Workspace, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor() {
    const fire = (): void => this.#changed.fire();
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(fire));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(fire));
  }

  get folders(): readonly WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
  }

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
