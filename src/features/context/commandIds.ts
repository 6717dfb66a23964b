/** The feature's commands, as the manifest names them. */
export const contextCommandIds = {
  askAgent: 'acpSessions.context.ask',
  explain: 'acpSessions.context.explain',
  askTerminal: 'acpSessions.context.askTerminal',
  explainTerminal: 'acpSessions.context.explainTerminal',
  fixWithAgent: 'acpSessions.context.fix',
} as const;
