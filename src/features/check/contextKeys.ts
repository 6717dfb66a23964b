export const checkContextKeys = {
  /** Whether a folder of the window has a command that checks its sessions. */
  checkable: 'acpSessions.checkable',
} as const;
