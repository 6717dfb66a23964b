import { readText } from '../../platform/settings/setting';

export const worktreesSettingKeys = {
  newWorktreeFolder: 'newWorktree.folder',
  newWorktreeScript: 'newWorktree.script',
} as const;

/** The folder in which new worktrees are made; empty: beside the repository. */
export const newWorktreeFolder = (): string => readText(worktreesSettingKeys.newWorktreeFolder);

/** The command line that prepares a new worktree; empty: none. */
export const newWorktreeScript = (): string => readText(worktreesSettingKeys.newWorktreeScript);
