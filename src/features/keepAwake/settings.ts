import { onDidChangeSetting, readSetting } from '../../platform/settings/setting';

export const keepAwakeSettingKeys = { keepAwake: 'keepAwake' } as const;

/** Read anew each time. */
export const keepAwakeSettings = {
  get isOn(): boolean {
    return readSetting(keepAwakeSettingKeys.keepAwake) === true;
  },
  onDidChange: onDidChangeSetting(keepAwakeSettingKeys.keepAwake),
};
