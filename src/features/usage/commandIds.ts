/** The feature's commands, as the manifest names them. */
export const usageCommandIds = {
  showUsage: 'acpSessions.usage.show',
  exportUsage: 'acpSessions.usage.export',
} as const;
