/** The feature's commands, as the manifest names them. */
export const tracesCommandIds = {
  chooseTrace: 'acpSessions.trace.choose',
  recordTrace: 'acpSessions.trace.record',
  stopTrace: 'acpSessions.trace.stop',
  replayTrace: 'acpSessions.trace.replay',
  closeTrace: 'acpSessions.trace.close',
} as const;
