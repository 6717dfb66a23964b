import * as vscode from 'vscode';
import { type WorktreeServices, withTrouble } from './worktreeServices';
import { worktreeTarget } from './worktreeTarget';

/** "Open Worktree in New Window": the folder of the session, which is the worktree or in it. */
export function openWorktree(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    await (target && openInNewWindow(target.folder));
  });
}

export async function openInNewWindow(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
}
