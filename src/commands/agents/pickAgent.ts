import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Agent, isConfigured } from '../../model/agent';
import type { RegistryFacts } from '../../model/agents/registryFacts';
import { showInformationMessage } from '../../platform/ui/messages';
import { agentIcon } from '../../views/agentIcon';
import type { SessionsTree } from '../../views/sessions/nodes/tree';

/** What the choice of an agent shows. */
export interface AgentChoiceServices {
  readonly registryStorage: { readonly icons: RegistryFacts };
}

/** The agent of a node in the tree, which may not have been drawn again since the agent was replaced. */
export function findAgent(tree: SessionsTree, argument: unknown): Agent | undefined {
  if (!tree.isNode(argument)) {
    return undefined;
  }
  switch (argument.kind) {
    case 'agent':
      return argument.agent.current;
    case 'folder':
    case 'worktree':
    case 'moved':
    case 'session':
    case 'older':
    case 'message':
      return argument.list.agent.current;
    case 'subagent':
      return argument.session.list.agent.current;
    case 'group':
    case 'problem':
    case 'filter':
      return undefined;
  }
}

/** The only one of the agents, or the one that the user chooses; never a trace, which can only be read. */
export function pickAgent(
  services: AgentChoiceServices,
  agents: readonly Agent[],
  title: string,
): Promise<Agent | undefined> {
  return pickAmong(services, agents.filter(isConfigured), title);
}

/** The only one of these agents and traces, or the one that the user chooses. */
export async function pickAmong(
  services: AgentChoiceServices,
  agents: readonly Agent[],
  title: string,
): Promise<Agent | undefined> {
  if (agents.length === 0) {
    void showInformationMessage(l10n.t('No agent is available for this.'));
    return undefined;
  }
  if (agents.length === 1) {
    return agents[0];
  }
  const items = agents.map((agent) => agentItem(services, agent));
  // The settings may have changed since the question.
  return (await vscode.window.showQuickPick(items, { title }))?.agent.current;
}

/** An agent's row in a choice. */
function agentItem({ registryStorage }: AgentChoiceServices, agent: Agent) {
  const { title: label, config } = agent;
  return { label, iconPath: agentIcon(registryStorage.icons.of(config)), agent };
}
