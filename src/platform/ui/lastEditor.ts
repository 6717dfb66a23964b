import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { showErrorMessage } from './messages';

/**
 * The text editor that was last active: while one of our tabs has focus, VS Code reports none
 * (https://github.com/microsoft/vscode/issues/49915). By now another tab may hide the editor, but
 * it isn't closed.
 */
export class LastEditor implements vscode.Disposable {
  #editor: vscode.TextEditor | undefined;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when there is a different editor, or none any more. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#note(vscode.window.activeTextEditor);
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor)));
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length > 0 && this.#editor && findGroup(this.#editor.document) === undefined) {
          this.#editor = undefined;
          this.#changed.fire();
        }
      }),
    );
  }

  get editor(): vscode.TextEditor | undefined {
    return this.#editor;
  }

  /** The file name of the editor. */
  get name(): string | undefined {
    return this.#editor && getName(this.#editor.document);
  }

  /** Inserts a text at the cursor or in place of the selection, as a single undo step. */
  async insert(text: string): Promise<void> {
    const last = this.#editor;
    const group = last && findGroup(last.document);
    if (last === undefined || group === undefined) {
      void showErrorMessage(
        l10n.t(
          'The code wasn’t inserted because the last active editor is closed. Open a file and place the cursor where the code should go.',
        ),
      );
      return;
    }
    const { document, selection } = last;
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: group.viewColumn,
      selection,
    });
    const isDone = await editor.edit((edit) => edit.replace(editor.selection, text));
    if (!isDone) {
      void showErrorMessage(
        l10n.t(
          'The code wasn’t inserted into “{0}” because the file can’t be changed. Copy the code instead.',
          getName(document),
        ),
      );
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || editor === this.#editor || !canBeWritten(editor.document)) {
      return;
    }
    const before = this.name;
    this.#editor = editor;
    if (this.name !== before) {
      this.#changed.fire();
    }
  }
}

function getName({ uri }: vscode.TextDocument): string {
  return path.posix.basename(uri.path);
}

function canBeWritten({ uri: { scheme } }: vscode.TextDocument): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** The tab group that shows a document as text; notebooks and diffs don't count. */
function findGroup({ uri }: vscode.TextDocument): vscode.TabGroup | undefined {
  const wanted = uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === wanted,
    ),
  );
}
