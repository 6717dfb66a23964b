import { offeredCommandIds } from '../../platform/ids';

/** The feature's commands, as the manifest names them. */
export const plansCommandIds = {
  openPlan: offeredCommandIds.openPlan,
  continuePlan: offeredCommandIds.continuePlan,
} as const;
