import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../model/agent';
import type { Agents } from '../model/agents';
import type { Sessions } from '../model/sessions';
import { showInformationMessage } from '../platform/messages';
import type { SessionsTree } from '../views/sessions/tree';
import { mayEndAgent } from './endWork';

/** What the commands for agents work on. */
export interface AgentCommands {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly sessions: Pick<Sessions, 'all'>;
}

export async function restartAgent(
  { agents, tree, sessions }: AgentCommands,
  argument: unknown,
): Promise<void> {
  const agent = agentOf(tree, argument) ?? (await pickAgent(agents.all, l10n.t('Restart Agent')));
  if (agent !== undefined && (await mayEndAgent(sessions, agent, l10n.t('Restart')))) {
    await agent.restart();
  }
}

export async function stopAgent(
  { agents, tree, sessions }: AgentCommands,
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

/** The agent that a node of the tree is about. */
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
    case 'group':
    case 'problem':
      return undefined;
  }
}

/** The only one of them, or the one that a person chooses. */
export async function pickAgent(
  agents: readonly Agent[],
  title: string,
): Promise<Agent | undefined> {
  if (agents.length === 0) {
    void showInformationMessage(l10n.t('There is no such agent.'));
    return undefined;
  }
  if (agents.length === 1) {
    return agents[0];
  }
  const items = agents.map((agent) => ({ label: agent.title, agent }));
  return (await vscode.window.showQuickPick(items, { title }))?.agent;
}
