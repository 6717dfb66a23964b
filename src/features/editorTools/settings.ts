import { readSetting } from '../../platform/settings/setting';

export const editorToolsSettingKeys = { editorTools: 'editorTools' } as const;

/** Whether sessions are offered the editor's tools. Read anew each time. */
export const offersTools = (): boolean => readSetting(editorToolsSettingKeys.editorTools) !== 'off';
