import { onDidChangeSetting, readSetting } from '../../platform/settings/setting';

export const contextSettingKeys = { keepTerminalOutput: 'keepTerminalOutput' } as const;

/** Whether the output of commands in terminals is kept to be mentioned. Read anew each time. */
export const keepsTerminalOutput = (): boolean =>
  readSetting(contextSettingKeys.keepTerminalOutput) !== false;

export const onDidChangeKeeping = onDidChangeSetting(contextSettingKeys.keepTerminalOutput);
