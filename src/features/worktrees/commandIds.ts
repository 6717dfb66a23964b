/** The feature's commands, as the manifest names them. */
export const worktreesCommandIds = {
  newSessionInWorktree: 'acpSessions.session.newInWorktree',
  askSeveralAgents: 'acpSessions.session.newOfSeveral',
  compareWithBase: 'acpSessions.worktree.compareWithBase',
  compareWithAnother: 'acpSessions.worktree.compareWithAnother',
  showComparison: 'acpSessions.worktree.compareSessions',
  applyToWorkspace: 'acpSessions.worktree.applyToWorkspace',
  openWorktree: 'acpSessions.worktree.openInNewWindow',
  removeWorktree: 'acpSessions.worktree.remove',
} as const;
