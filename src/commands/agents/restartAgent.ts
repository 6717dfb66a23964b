import * as l10n from '@vscode/l10n';
import type { Agent } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import { mayEndAgent } from './endWork';
import { type AgentChoiceServices, findAgent, pickAgent } from './pickAgent';

/** The services for commands on agents. */
export interface AgentServices extends AgentChoiceServices {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly sessions: Pick<Sessions, 'all'>;
}

export async function restartAgent(services: AgentServices, argument: unknown): Promise<void> {
  const { agents, tree, sessions } = services;
  const title = l10n.t('Restart Agent');
  const agent = findAgent(tree, argument) ?? (await pickAgent(services, agents.all, title));
  if (agent !== undefined && (await mayEndAgent(sessions, agent, l10n.t('Restart')))) {
    await agent.restart();
  }
}

export async function stopAgent(services: AgentServices, argument: unknown): Promise<void> {
  const { agents, tree, sessions } = services;
  const running = agents.all.filter(isRunning);
  const title = l10n.t('Stop Agent');
  const agent = findAgent(tree, argument) ?? (await pickAgent(services, running, title));
  if (agent !== undefined && (await mayEndAgent(sessions, agent, l10n.t('Stop')))) {
    await agent.stop();
  }
}

function isRunning({ state }: Agent): boolean {
  return state.kind === 'ready' || state.kind === 'starting';
}
