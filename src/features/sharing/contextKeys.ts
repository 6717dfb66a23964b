export const sharingContextKeys = {
  /** Whether an agent is shared. */
  sharing: 'acpSessions.sharing',
} as const;
