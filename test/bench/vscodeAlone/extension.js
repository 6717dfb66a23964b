'use strict';
const vscode = require('vscode');

/** Measures VS Code's own cost: an extension that does as little as possible. */
exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('emptyPanel.open', openEmptyPanel),
    vscode.commands.registerCommand('plainPicker.open', openPlainPicker),
  );
};

/** A webview panel with one line of text. */
function openEmptyPanel() {
  const panel = vscode.window.createWebviewPanel('emptyPanel', 'Empty', vscode.ViewColumn.Active);
  panel.webview.html = '<!DOCTYPE html><html><body>An empty panel.</body></html>';
}

/** A list that answers each key with rows like those of sessions, without searching for anything. */
function openPlainPicker() {
  const picker = vscode.window.createQuickPick();
  Object.assign(picker, { sortByLabel: false });
  const show = () => {
    picker.items = Array.from({ length: 40 }, (_, at) => ({
      label: `Session ${picker.value}-${at}`,
      description: 'Bench · 2 minutes ago',
      alwaysShow: true,
    }));
  };
  picker.onDidChangeValue(show);
  picker.onDidHide(() => picker.dispose());
  show();
  picker.show();
}
