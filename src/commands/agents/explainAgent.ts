import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../model/agent';
import { cleanText } from '../../model/text/titles';
import { settingKeys, settingsSection } from '../../platform/ids';
import { offerActions } from '../../platform/ui/failureActions';
import { showErrorMessage } from '../../platform/ui/messages';
import { failureText } from '../../shared/failure';
import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { findTooltip } from '../../views/sessions/nodes/tooltips';
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
  await offerActions(
    showErrorMessage,
    text,
    list === undefined ? ['editAgents'] : ['retry', 'diagnose', 'showLog', 'editAgents'],
    { agentId: list?.agent.id, retry: () => list?.refresh() },
  );
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
    return { text: failureText(node.message.failure), list: node.list };
  }
  if (node.kind === 'message' && node.message.kind === 'notAcp') {
    return { text: findTooltip(node) ?? '', list: node.list };
  }
  return undefined;
}
