import * as vscode from 'vscode';
import { replaceMember } from './dialogs';
import { waitFor } from './support';

type Picker = vscode.QuickPick<vscode.QuickPickItem>;

/** The pickers of the extension, and the keys of a person who sees one. */
export class Pickers {
  #last: Picker | undefined;
  readonly dispose: () => void;

  constructor() {
    const create = vscode.window.createQuickPick.bind(vscode.window);
    this.dispose = replaceMember(vscode.window, 'createQuickPick', () => {
      this.#last = create();
      return this.#last;
    });
  }

  /** The newest one, whether or not the window shows it by now; a command that was just run makes it soon. */
  made(): Promise<Picker> {
    return waitFor(() => this.#last, 'a picker');
  }

  /** The newest one, once the window shows its rows and has one of them active: what a key would move. */
  shown(): Promise<Picker> {
    return waitFor(() => {
      const [active] = this.#last?.activeItems ?? [];
      return active !== undefined && this.#last?.items.includes(active) && this.#last;
    }, 'a picker with an active row');
  }

  /** As the arrow key does. */
  async next(): Promise<void> {
    await this.shown();
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
  }

  /** As Enter does, again and again until the command ends: rows that are just being replaced can't be chosen. */
  async accept(command: Thenable<unknown>): Promise<void> {
    let isDone = false;
    void command.then(() => {
      isDone = true;
    });
    await waitFor(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isDone;
    }, 'the choice to be taken');
    this.#last = undefined;
  }

  /** As Escape does. */
  async close(): Promise<void> {
    await this.shown();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    this.#last = undefined;
  }
}
