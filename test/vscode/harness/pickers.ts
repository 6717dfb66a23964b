import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { replaceMember } from './dialogs';
import { waitFor } from './support';

type Picker = vscode.QuickPick<vscode.QuickPickItem>;

/** The extension's quick picks, and the keys of a user who sees one. */
export class Pickers {
  #last: Picker | undefined;
  readonly #pressed = new vscode.EventEmitter<
    vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>
  >();
  readonly dispose: () => void;

  constructor() {
    const create = vscode.window.createQuickPick.bind(vscode.window);
    this.dispose = replaceMember(vscode.window, 'createQuickPick', () => {
      this.#last = create();
      // Nothing but a mouse presses the button of a row.
      replaceMember(this.#last, 'onDidTriggerItemButton', this.#pressed.event);
      return this.#last;
    });
  }

  /** The newest quick pick, even if the window doesn't show it yet; waits for one that a command is about to open. */
  made(): Promise<Picker> {
    return waitFor(() => this.#last, 'a picker');
  }

  /** The newest quick pick, once the window shows its rows and one of them is active, so that keys have an effect. */
  shown(): Promise<Picker> {
    return waitFor(() => {
      const [active] = this.#last?.activeItems ?? [];
      return active !== undefined && this.#last?.items.includes(active) && this.#last;
    }, 'a picker with an active row');
  }

  /** Presses the button of a row with this tooltip. */
  press(item: vscode.QuickPickItem, tooltip: string): void {
    const button = item.buttons?.find((one) => one.tooltip === tooltip);
    assert.ok(button, `the button ${tooltip}`);
    this.#pressed.fire({ item, button });
  }

  /** Presses the Down Arrow key. */
  async next(): Promise<void> {
    await this.shown();
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
  }

  /** Presses the Down Arrow key until this row is active: a row that is made active may lose that to an earlier answer. */
  async moveTo(item: vscode.QuickPickItem): Promise<void> {
    const picker = await this.shown();
    while (picker.activeItems[0] !== item) {
      const moved = new Promise<void>((resolve) => {
        const listener = picker.onDidChangeActive(() => {
          listener.dispose();
          resolve();
        });
      });
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      await moved;
    }
  }

  /** Presses Enter until the command ends: rows can't be chosen while they are being replaced. */
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

  /** Presses Escape. */
  async close(): Promise<void> {
    await this.shown();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    this.#last = undefined;
  }
}
