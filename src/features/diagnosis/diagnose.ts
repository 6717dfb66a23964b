import * as l10n from '@vscode/l10n';
import { type AgentChoiceServices, findAgent, pickAgent } from '../../commands/agents/pickAgent';
import { isConfigured } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { DiagnosisView } from './diagnosisView';

export interface DiagnosisCommands extends AgentChoiceServices {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly diagnoses: DiagnosisView;
}

/** "Diagnose Agent…": the agent of a row, the one with this id, or one that the user chooses. */
export async function diagnoseAgent(services: DiagnosisCommands, argument: unknown): Promise<void> {
  const { agents, tree, diagnoses } = services;
  const named = typeof argument === 'string' ? agents.get(argument) : findAgent(tree, argument);
  const agent = named ?? (await pickAgent(services, agents.all, l10n.t('Diagnose Agent')));
  if (agent === undefined) {
    return;
  }
  if (!isConfigured(agent)) {
    void showInformationMessage(l10n.t('A trace can only be read.'));
  } else {
    await diagnoses.diagnose(agent);
  }
}
