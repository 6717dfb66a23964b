/** The feature's commands, as the manifest names them. */
export const transcriptTextCommandIds = {
  exportSession: 'acpSessions.session.export',
  compareSessions: 'acpSessions.session.compare',
  openChanges: 'acpSessions.session.openChanges',
} as const;
