/** The feature's commands, as the manifest names them. */
export const contextCommandIds = {
  askAgent: 'acpSessions.context.ask',
  fixWithAgent: 'acpSessions.context.fix',
} as const;
