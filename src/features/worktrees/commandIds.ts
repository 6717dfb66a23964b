/** The feature's commands, as the manifest names them. */
export const worktreesCommandIds = {
  newSessionInWorktree: 'acpSessions.session.newInWorktree',
  compareWorktree: 'acpSessions.worktree.compare',
  finishWorktree: 'acpSessions.worktree.finish',
  moveChanges: 'acpSessions.session.moveToWorktree',
  cleanUpWorktrees: 'acpSessions.worktree.cleanUp',
  removeWorktree: 'acpSessions.worktree.remove',
} as const;
