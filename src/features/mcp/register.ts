import { feature } from '../feature';
import { mcpCommandIds as ids } from './commandIds';
import { forgetMcpInputs } from './forgetMcpInputs';
import { vsCodeMcpServers } from './vsCodeMcpServers';

/** The MCP servers that sessions are opened with. */
export const mcp = feature({ commandIds: ids }, (core) => {
  const { context, workspace, settings, log, held } = core;
  const servers = vsCodeMcpServers(context, workspace, settings, log.component('mcp'), held);
  core.mcp.provide(servers);
  return { commands: { [ids.forgetMcpInputs]: () => forgetMcpInputs(servers) }, parts: {} };
});
