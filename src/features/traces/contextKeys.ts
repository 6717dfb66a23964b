export const tracesContextKeys = {
  /** Whether a trace is being recorded. */
  tracing: 'acpSessions.tracing',
  /** Whether a trace is open. */
  replaying: 'acpSessions.replaying',
} as const;
