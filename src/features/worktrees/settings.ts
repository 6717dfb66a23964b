import * as vscode from 'vscode';
import { readText } from '../../platform/settings/setting';

export const worktreesSettingKeys = {
  newWorktreeFolder: 'newWorktree.folder',
  newWorktreeScript: 'newWorktree.script',
} as const;

/** The folder in which new worktrees are made; empty: beside the repository. */
export const newWorktreeFolder = (): string => readText(worktreesSettingKeys.newWorktreeFolder);

/** The command line that prepares a new worktree; empty: none. */
export const newWorktreeScript = (): string => readText(worktreesSettingKeys.newWorktreeScript);

/** The ignored files that VS Code's own Git brings into new worktrees: globs, for the repository with this top folder. */
export function worktreeIncludeFiles(top: string): readonly string[] {
  const settings = vscode.workspace.getConfiguration('git', vscode.Uri.file(top));
  const value = settings.get<unknown>('worktreeIncludeFiles');
  return Array.isArray(value) ? value.filter((glob) => typeof glob === 'string') : [];
}
