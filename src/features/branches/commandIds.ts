/** The feature's commands, as the manifest names them. */
export const branchesCommandIds = {
  forkSession: 'acpSessions.session.fork',
  editAndResend: 'acpSessions.session.editAndResend',
  retryTurn: 'acpSessions.session.retryTurn',
  continueWith: 'acpSessions.session.continueWith',
  openOrigin: 'acpSessions.session.openOrigin',
  openFork: 'acpSessions.session.openFork',
} as const;
