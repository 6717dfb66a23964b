/** The feature's commands, as the manifest names them. */
export const registryCommandIds = {
  addAgent: 'acpSessions.agent.add',
  updateAgent: 'acpSessions.agent.update',
  useVersion: 'acpSessions.agent.useVersion',
  removeAgent: 'acpSessions.agent.remove',
} as const;
