/** The feature's commands, as the manifest names them. */
export const checkCommandIds = {
  runCheck: 'acpSessions.check.run',
  showCheck: 'acpSessions.check.show',
  stopCheck: 'acpSessions.check.stop',
  fixCheck: 'acpSessions.check.fix',
} as const;
