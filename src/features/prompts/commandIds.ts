/** The feature's commands, as the manifest names them. */
export const promptsCommandIds = {
  editPrompt: 'acpSessions.prompt.edit',
  sendPrompt: 'acpSessions.prompt.send',
  choosePromptSession: 'acpSessions.prompt.chooseSession',
  runPrompt: 'acpSessions.prompt.run',
  removeFromPrompt: 'acpSessions.prompt.removeAttachment',
} as const;
