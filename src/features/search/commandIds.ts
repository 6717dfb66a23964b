/** The feature's commands, as the manifest names them. */
export const searchCommandIds = {
  searchConversations: 'acpSessions.search.open',
  searchFile: 'acpSessions.search.file',
  indexFolder: 'acpSessions.search.indexFolder',
} as const;
