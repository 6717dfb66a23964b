/** The feature's commands, as the manifest names them. */
export const checkCommandIds = {
  runCheck: 'acpSessions.check.run',
} as const;
