import * as l10n from '@vscode/l10n';
import type { Agent } from '../../../model/agent';
import { mayUseOwnServers } from '../../../model/session/ownServers';

/** Why the sessions of an agent on another machine have no tools, for its diagnosis; nothing if they can have some. */
export function withoutTools(agent: Pick<Agent, 'config' | 'state'>): readonly string[] {
  const { config, state } = agent;
  if (config.remote === undefined) {
    return [];
  }
  if (!mayUseOwnServers(agent)) {
    return [
      l10n.t(
        'It is on another machine, so it gets no tools of the editor. To allow them, repeat its address as “editorToolsFor” in your user settings.',
      ),
    ];
  }
  return state.kind === 'ready' && !state.connection.capabilities.mcpAcp
    ? [
        l10n.t(
          'It may use the tools of the editor, but doesn’t connect to MCP servers by its own connection, which is the only way to them from another machine.',
        ),
      ]
    : [];
}
