import { readSetting } from '../../platform/settings/setting';

export const editorToolsSettingKeys = { editorTools: 'editorTools' } as const;

/** Whether sessions are offered the editor's tools. Read anew each time. */
export const offersTools = (): boolean => readSetting(editorToolsSettingKeys.editorTools) !== 'off';

/** Whether the tools may also change files and run things, each time with consent. Read anew each time. */
export const offersActs = (): boolean => readSetting(editorToolsSettingKeys.editorTools) === 'all';
