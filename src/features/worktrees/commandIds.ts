/** The feature's commands, as the manifest names them. */
export const worktreesCommandIds = {
  newSessionInWorktree: 'acpSessions.session.newInWorktree',
  compareWorktree: 'acpSessions.worktree.compare',
  finishWorktree: 'acpSessions.worktree.finish',
  applyToWorkspace: 'acpSessions.worktree.applyToWorkspace',
  applyHunks: 'acpSessions.worktree.applyHunks',
  moveChanges: 'acpSessions.session.moveToWorktree',
  openWorktree: 'acpSessions.worktree.openInNewWindow',
  cleanUpWorktrees: 'acpSessions.worktree.cleanUp',
  removeWorktree: 'acpSessions.worktree.remove',
} as const;
