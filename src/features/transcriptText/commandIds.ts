/** The feature's commands, as the manifest names them. */
export const transcriptTextCommandIds = {
  exportMarkdown: 'acpSessions.session.exportMarkdown',
  exportJsonLines: 'acpSessions.session.exportJsonLines',
  openAsText: 'acpSessions.session.openAsText',
  compareSessions: 'acpSessions.session.compare',
  compareWithOrigin: 'acpSessions.session.compareWithOrigin',
  openChanges: 'acpSessions.session.openChanges',
} as const;
