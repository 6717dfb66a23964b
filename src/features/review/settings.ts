import { readSetting } from '../../platform/settings/setting';

export const reviewSettingKeys = {
  checkpoints: 'review.checkpoints',
  days: 'review.keepDays',
  limit: 'review.sizeLimit',
} as const;

/** Whether the files of the workspace are recorded before and after each turn. */
export function takesCheckpoints(): boolean {
  return readSetting(reviewSettingKeys.checkpoints) !== false;
}

/** How long records are kept, in days, and how much, in bytes. */
export function recordLimits(): { readonly days: number; readonly bytes: number } {
  const days = readSetting(reviewSettingKeys.days);
  const megabytes = readSetting(reviewSettingKeys.limit);
  return {
    days: typeof days === 'number' && days > 0 ? days : 30,
    bytes: (typeof megabytes === 'number' && megabytes > 0 ? megabytes : 1000) * 1e6,
  };
}
