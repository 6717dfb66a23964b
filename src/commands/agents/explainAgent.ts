import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionList } from '../../model/agent';
import { cleanText } from '../../model/text/titles';
import { commandIds, settingKeys, settingsSection } from '../../platform/ids';
import { showErrorMessage } from '../../platform/ui/messages';
import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { tooltipOf } from '../../views/sessions/nodes/tooltips';
import type { AgentServices } from './restartAgent';

interface ExplainServices extends Pick<AgentServices, 'tree'> {
  readonly view: { readonly selectedRow: SessionsNode | undefined };
}

/** Shows what is wrong with an agent, and offers remedies. */
export async function explainAgent(
  { tree, view }: ExplainServices,
  argument: unknown,
): Promise<void> {
  // VS Code may pass no row while it redraws all of them: https://github.com/microsoft/vscode/issues/283655
  const nodes = tree.isNode(argument) ? [argument] : [view.selectedRow, ...tree.look()];
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
