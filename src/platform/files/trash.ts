import * as vscode from 'vscode';

/** Whether files that are deleted go to a trash: only this machine has one, and the user may have turned it off. */
export function hasTrash(): boolean {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return isHere && vscode.workspace.getConfiguration('files').get('enableTrash') !== false;
}
