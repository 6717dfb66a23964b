import { feature } from '../feature';
import { mcpCommandIds as ids } from './commandIds';
import { forgetMcpInputs } from './forgetMcpInputs';
import { mcpSettingKeys } from './settings';
import { vsCodeMcpServers } from './vsCodeMcpServers';

/** The MCP servers that sessions are opened with. */
export const mcp = feature({ commandIds: ids, settingKeys: mcpSettingKeys }, (core) => {
  const { context, workspace, log, held } = core;
  const servers = vsCodeMcpServers(context, workspace, log.component('mcp'), held);
  core.mcp.provide(servers);
  return { commands: { [ids.forgetMcpInputs]: () => forgetMcpInputs(servers) }, parts: {} };
});
