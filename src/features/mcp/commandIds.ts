/** The feature's commands, as the manifest names them. */
export const mcpCommandIds = {
  forgetMcpInputs: 'acpSessions.mcp.forgetInputs',
} as const;
