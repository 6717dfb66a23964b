/** The feature's commands, as the manifest names them. */
export const sharingCommandIds = {
  shareAgent: 'acpSessions.agent.share',
} as const;
