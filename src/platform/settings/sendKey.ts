import type * as vscode from 'vscode';
import { settingKeys } from '../ids';
import { onDidChangeSetting, readSetting } from './setting';

/** `acpSessions.sendKey`: which key sends a prompt. */
export class SendKey implements vscode.Disposable {
  #needsCtrl = readNeedsCtrl();
  readonly #watching: vscode.Disposable;
  readonly onDidChange = onDidChangeSetting(settingKeys.sendKey);

  constructor() {
    this.#watching = this.onDidChange(() => {
      this.#needsCtrl = readNeedsCtrl();
    });
  }

  /** Whether Ctrl+Enter sends, and Enter begins a line. */
  get needsCtrl(): boolean {
    return this.#needsCtrl;
  }

  dispose(): void {
    this.#watching.dispose();
  }
}

function readNeedsCtrl(): boolean {
  return readSetting(settingKeys.sendKey) === 'ctrlEnter';
}
