import * as l10n from '@vscode/l10n';
import { feature } from '../feature';
import { McpFacts } from './model/mcpFacts';
import { answers, isThere } from './serverChecks';
import { mcpSettingKeys } from './settings';
import { vsCodeMcpServers } from './vsCodeMcpServers';

/** The MCP servers that sessions are opened with. */
export const mcp = feature({ commandIds: {}, settingKeys: mcpSettingKeys }, (core) => {
  const { context, workspace, log, held } = core;
  const facts = new McpFacts({ isThere, answers, slowMs: 5_000 });
  const servers = vsCodeMcpServers(context, workspace, log.component('mcp'), held, facts);
  core.mcp.provide(servers);
  core.headerFacts.provide((session) => facts.of(session), facts.onDidChange);
  core.diagnosisFacts.provide((agentId) => facts.ofAgent(agentId));
  core.slowAgents.explain((agentId) => facts.whySilent(agentId));
  core.storedData.provide({
    id: 'mcp',
    label: l10n.t('Inputs and permissions for MCP servers'),
    detail: l10n.t('You are asked for them again when you open a session.'),
    size: () => Promise.resolve(undefined),
    clear: () => servers.forget(),
  });
  return { commands: {}, parts: {} };
});
