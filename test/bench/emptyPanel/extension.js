'use strict';
const vscode = require('vscode');

/** An extension that does nothing but open a webview panel with one line in it: what VS Code itself takes. */
exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  const open = () => {
    const panel = vscode.window.createWebviewPanel('emptyPanel', 'Empty', vscode.ViewColumn.Active);
    panel.webview.html = '<!DOCTYPE html><html><body>An empty panel.</body></html>';
  };
  context.subscriptions.push(vscode.commands.registerCommand('emptyPanel.open', open));
};
