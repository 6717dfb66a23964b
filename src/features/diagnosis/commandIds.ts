import { offeredCommandIds } from '../../platform/ids';

/** The feature's commands, as the manifest names them. */
export const diagnosisCommandIds = {
  diagnoseAgent: offeredCommandIds.diagnoseAgent,
  copyReport: 'acpSessions.agent.copyReport',
  useProtocol: 'acpSessions.agent.useProtocol',
} as const;
