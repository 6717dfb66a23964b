/** The feature's commands, as the manifest names them. */
export const cachedTranscriptsCommandIds = {
  forgetAgent: 'acpSessions.agent.forget',
} as const;
