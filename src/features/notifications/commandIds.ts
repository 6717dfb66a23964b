/** The feature's commands, as the manifest names them. */
export const notificationsCommandIds = {
  nextRequest: 'acpSessions.request.next',
  pickRequest: 'acpSessions.requests.pick',
} as const;
