import * as vscode from 'vscode';

/**
 * A list whose rows are in order of relevance. VS Code sorts them by where the words are in the label, unless a
 * property that isn't public turns that off: https://github.com/microsoft/vscode/issues/73904
 */
export function createRankedPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return Object.assign(vscode.window.createQuickPick<T>(), { sortByLabel: false });
}

/**
 * The row that the user has accepted. If the rows were replaced in the meantime, none is selected; the active one is
 * meant then, and without one the user can choose again.
 */
export function acceptedRow<T extends vscode.QuickPickItem>({
  selectedItems,
  activeItems,
}: vscode.QuickPick<T>): T | undefined {
  return selectedItems[0] ?? activeItems[0];
}
