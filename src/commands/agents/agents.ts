import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent, SessionList } from '../../model/agents/agent';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { commandIds, settingKeys, settingsSection } from '../../platform/ids';
import { showErrorMessage, showInformationMessage } from '../../platform/ui/messages';
import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { tooltipOf } from '../../views/sessions/nodes/tooltips';
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

interface ExplainServices extends Pick<AgentServices, 'tree'> {
  readonly view: { readonly selectedRow: SessionsNode | undefined };
}

/** Shows what is wrong with an agent, and offers remedies. */
export async function explainAgent(
  { tree, view }: ExplainServices,
  argument: unknown,
): Promise<void> {
  // VS Code may pass no row while it redraws all of them: https://github.com/microsoft/vscode/issues/283655
  const nodes = tree.isNode(argument) ? [argument] : [view.selectedRow, ...tree.children()];
  const [broken] = nodes.flatMap((node) => (node && whatIsWrong(node)) ?? []);
  if (broken === undefined) {
    return;
  }
  const { text, list } = broken;
  const [retry, diagnose] = [l10n.t('Retry'), l10n.t('Diagnose')];
  const [log, edit] = [l10n.t('Show Log'), l10n.t('Edit Agents')];
  const answer = await showErrorMessage(
    text,
    ...(list === undefined ? [] : [retry, diagnose, log]),
    edit,
  );
  if (answer === retry) {
    await list?.refresh();
  } else if (answer === diagnose) {
    await vscode.commands.executeCommand(commandIds.diagnoseAgent, list?.agent.id);
  } else if (answer !== undefined) {
    const command = answer === log ? commandIds.showAgentLog : commandIds.editAgents;
    await vscode.commands.executeCommand(command);
  }
}

function whatIsWrong(
  node: SessionsNode,
): { readonly text: string; readonly list?: SessionList } | undefined {
  if (node.kind === 'problem') {
    const { id, reason } = node.problem;
    const setting = `${settingsSection}.${settingKeys.agents}`;
    return {
      text: l10n.t(
        'The entry “{0}” of the setting {1} can’t be used: {2}',
        cleanText(id, 60),
        setting,
        reason,
      ),
    };
  }
  if (node.kind === 'message' && node.message.kind === 'failed') {
    const { title, detail } = node.message.failure;
    return { text: `${title}. ${detail}`, list: node.list };
  }
  if (node.kind === 'message' && node.message.kind === 'notAcp') {
    return { text: tooltipOf(node) ?? '', list: node.list };
  }
  return undefined;
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
