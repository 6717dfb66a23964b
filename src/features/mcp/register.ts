import { feature } from '../feature';
import { mcpCommandIds as ids } from './commandIds';
import { forgetMcpInputs } from './forgetMcpInputs';
import { McpFacts } from './model/mcpFacts';
import { answers, isThere } from './serverChecks';
import { mcpSettingKeys } from './settings';
import { vsCodeMcpServers } from './vsCodeMcpServers';

/** The MCP servers that sessions are opened with. */
export const mcp = feature({ commandIds: ids, settingKeys: mcpSettingKeys }, (core) => {
  const { context, workspace, log, held } = core;
  const facts = new McpFacts({ isThere, answers, slowMs: 5_000 });
  const servers = vsCodeMcpServers(context, workspace, log.component('mcp'), held, facts);
  core.mcp.provide(servers);
  core.headerFacts.provide((session) => facts.of(session), facts.onDidChange);
  core.diagnosisFacts.provide((agentId) => facts.ofAgent(agentId));
  core.slowAgents.explain((agentId) => facts.whySilent(agentId));
  return { commands: { [ids.forgetMcpInputs]: () => forgetMcpInputs(servers) }, parts: {} };
});
