import { readText } from '../../platform/settings/setting';

export const registrySettingKeys = { registry: 'registry' } as const;

/** The agent registry's address; empty: it isn't asked. Only the user's own settings count. */
export const registryAddress = (): string => readText(registrySettingKeys.registry);
