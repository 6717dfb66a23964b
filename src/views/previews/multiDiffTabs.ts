import * as vscode from 'vscode';

/** Whether this is the tab of a multi-diff editor of this name: the API tells nothing else about such editors. */
export function isMultiDiff({ label, input }: vscode.Tab, name: string): boolean {
  const isOtherKind = [
    vscode.TabInputText,
    vscode.TabInputTextDiff,
    vscode.TabInputCustom,
    vscode.TabInputWebview,
    vscode.TabInputNotebook,
  ].some((kind) => input instanceof kind);
  // VS Code adds the number of files.
  return !isOtherKind && (label === name || label.startsWith(`${name} (`));
}
