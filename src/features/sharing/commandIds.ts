/** The feature's commands, as the manifest names them. */
export const sharingCommandIds = {
  shareAgent: 'acpSessions.agent.share',
  stopSharing: 'acpSessions.agent.stopSharing',
} as const;
