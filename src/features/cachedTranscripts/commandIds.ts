/** The feature's commands, as the manifest names them. */
export const cachedTranscriptsCommandIds = {
  clearRememberedLists: 'acpSessions.sessions.clearRemembered',
  clearCachedTranscripts: 'acpSessions.transcripts.clearCache',
  forgetAgent: 'acpSessions.agent.forget',
} as const;
