import * as vscode from 'vscode';

/** "Open in New Window": the folder of the session, which is the worktree or in it. */
export async function openInNewWindow(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
}
