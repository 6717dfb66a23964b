import { readSetting } from '../../platform/settings/setting';

export const mcpSettingKeys = { mcpServers: 'mcpServers' } as const;

/** `acpSessions.mcpServers` as written (MCP-1). */
export const writtenMcpServers = (): unknown => readSetting(mcpSettingKeys.mcpServers);
