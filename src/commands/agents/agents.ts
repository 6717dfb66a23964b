import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import { mayEndAgent } from '../session/endWork';

/** The services for commands on agents. */
export interface AgentServices {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly sessions: Pick<Sessions, 'all'>;
}

export async function restartAgent(
  { agents, tree, sessions }: AgentServices,
  argument: unknown,
): Promise<void> {
  const agent = agentOf(tree, argument) ?? (await pickAgent(agents.all, l10n.t('Restart Agent')));
  if (agent !== undefined && (await mayEndAgent(sessions, agent, l10n.t('Restart')))) {
    await agent.restart();
  }
}

export async function stopAgent(
  { agents, tree, sessions }: AgentServices,
  argument: unknown,
): Promise<void> {
  const running = agents.all.filter(isRunning);
  const agent = agentOf(tree, argument) ?? (await pickAgent(running, l10n.t('Stop Agent')));
  if (agent !== undefined && (await mayEndAgent(sessions, agent, l10n.t('Stop')))) {
    await agent.stop();
  }
}

function isRunning({ state }: Agent): boolean {
  return state.kind === 'ready' || state.kind === 'starting';
}

/** The agent of a node in the tree. */
export function agentOf(tree: SessionsTree, argument: unknown): Agent | undefined {
  if (!tree.isNode(argument)) {
    return undefined;
  }
  switch (argument.kind) {
    case 'agent':
      return argument.agent;
    case 'folder':
    case 'worktree':
    case 'moved':
    case 'session':
    case 'older':
    case 'message':
      return argument.list.agent;
    case 'subagent':
      return argument.session.list.agent;
    case 'group':
    case 'problem':
    case 'filter':
      return undefined;
  }
}

/** The only one of the agents, or the one that the user chooses. */
export async function pickAgent(
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
  const items = agents.map((agent) => ({ label: agent.title, agent }));
  return (await vscode.window.showQuickPick(items, { title }))?.agent;
}
