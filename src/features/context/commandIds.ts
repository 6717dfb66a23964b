/** The feature's commands, as the manifest names them. */
export const contextCommandIds = { fixWithAgent: 'acpSessions.context.fix' } as const;
