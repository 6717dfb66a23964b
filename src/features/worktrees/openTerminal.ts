import * as vscode from 'vscode';

/** A terminal of the user's in a worktree. */
export function openTerminal(top: string, name: string): void {
  vscode.window.createTerminal({ name, cwd: top }).show();
}
