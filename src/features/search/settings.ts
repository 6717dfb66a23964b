import { onDidChangeSetting, readSetting } from '../../platform/settings/setting';
import { type SearchSettings, searchIndexModes } from './model/searchSettings';

export const searchSettingKeys = {
  searchIndex: 'search.index',
  searchIndexLimit: 'search.indexSizeLimit',
} as const;

/** Read anew each time. */
export const searchSettings: SearchSettings = {
  onDidChangeSearchIndex: onDidChangeSetting(searchSettingKeys.searchIndex),
  get searchIndex() {
    const value = readSetting(searchSettingKeys.searchIndex);
    return searchIndexModes.find((mode) => mode === value) ?? 'text';
  },
};

/** Maximum size of the search index on disk, in bytes. */
export function searchIndexLimit(): number {
  const megabytes = readSetting(searchSettingKeys.searchIndexLimit);
  return (typeof megabytes === 'number' && megabytes > 0 ? megabytes : 500) * 1e6;
}
