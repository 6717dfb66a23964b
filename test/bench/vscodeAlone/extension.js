'use strict';
const vscode = require('vscode');

/** Measures VS Code's own cost: an extension that does as little as possible. */
exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('emptyPanel.open', openEmptyPanel),
    vscode.commands.registerCommand('plainPicker.open', openPlainPicker),
    vscode.commands.registerCommand('plainChanges.open', openPlainChanges),
    vscode.window.registerTreeDataProvider('plainRows.view', plainRows),
    vscode.workspace.registerTextDocumentContentProvider('plain-before', {
      provideTextDocumentContent: ({ path }) => textBefore(path),
    }),
  );
};

/** @typedef {number | { title: string, rows: number[] }} PlainRow */

/** As the sessions of the benchmark are grouped: all but the newest are of the year before. */
const plainGroups = [
  { title: 'January', rows: [1] },
  { title: '2025', rows: Array.from({ length: 49 }, (_, at) => at + 2) },
];

/** A tree of the same rows as those of sessions, known without asking anyone. */
const plainRows = {
  getChildren: (/** @type {PlainRow | undefined} */ row) => {
    if (row === undefined) return plainGroups;
    return typeof row === 'object' ? row.rows : [];
  },
  getTreeItem: (/** @type {PlainRow} */ row) => {
    if (typeof row === 'object')
      return new vscode.TreeItem(row.title, vscode.TreeItemCollapsibleState.Expanded);
    const item = new vscode.TreeItem(`Session ${String(row).padStart(4, '0')}`);
    item.description = '2 min';
    item.iconPath = new vscode.ThemeIcon('comment');
    return item;
  },
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

/** VS Code's own editor of many changes, with texts for the left side that need not be looked up. */
async function openPlainChanges() {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const resources = Array.from({ length: 200 }, (_, at) => {
    const uri = vscode.Uri.joinPath(
      /** @type {vscode.WorkspaceFolder} */ (folder).uri,
      `src/file${at}.txt`,
    );
    return [uri, uri.with({ scheme: 'plain-before' }), uri];
  });
  await vscode.commands.executeCommand('vscode.changes', 'Plain Changes', resources);
}

/** As the benchmark makes the files, see `changedFiles.ts`. */
function textBefore(/** @type {string} */ file) {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return Array.from({ length: 100 }, (_, line) => `Line ${line} of ${name}.\n`).join('');
}
