import * as l10n from '@vscode/l10n';
import type { SessionList } from '../../model/agent';
import { cleanText } from '../../model/text/titles';
import { settingKeys, settingsSection } from '../../platform/ids';
import { offerActions } from '../../platform/ui/failureActions';
import { showErrorMessage } from '../../platform/ui/messages';
import { type FailureAction, failureText } from '../../shared/failure';
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
  const { text, actions, list } = broken;
  await offerActions(showErrorMessage, text, actions, {
    agentId: list?.agent.id,
    retry: () => list?.refresh(),
  });
}

interface Broken {
  readonly text: string;
  readonly actions: readonly FailureAction[];
  readonly list?: SessionList;
}

function whatIsWrong(node: SessionsNode): Broken | undefined {
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
      actions: ['editAgents', 'learnSettings'],
    };
  }
  if (node.kind === 'message' && node.message.kind === 'failed') {
    const { failure } = node.message;
    return { text: failureText(failure), actions: failure.actions, list: node.list };
  }
  if (node.kind === 'message' && node.message.kind === 'notAcp') {
    const text = findTooltip(node) ?? '';
    return { text, actions: ['editAgents', 'retry', 'diagnose', 'showLog'], list: node.list };
  }
  return undefined;
}
