/** The feature's commands, as the manifest names them. */
export const glanceCommandIds = {
  showGlance: 'acpSessions.sessions.showGlance',
} as const;
