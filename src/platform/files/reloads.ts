import * as vscode from 'vscode';

/**
 * VS Code reads a changed file before it reads its time, and refuses to save until it has read both: about a second
 * in 1.139. The API doesn't say when it has.
 */
const unsettledMs = 2000;

/** Remembers when VS Code read documents without unsaved changes again. */
export class Reloads implements vscode.Disposable {
  readonly #times = new WeakMap<vscode.TextDocument, number>();
  readonly #listener = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (document.isDirty) {
      // The first edit was told before the document counted as edited, like a text that was read again.
      this.#times.delete(document);
    } else if (contentChanges.length > 0) {
      // Not one that was only saved.
      this.#times.set(document, Date.now());
    }
  });

  /** Whether saving the document may fail, because its file changed a moment ago. */
  isRecent(document: vscode.TextDocument): boolean {
    return Date.now() - (this.#times.get(document) ?? 0) < unsettledMs;
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
