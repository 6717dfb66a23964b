import * as l10n from '@vscode/l10n';
import type { Agents } from '../../model/agents/agents';
import { showInformationMessage } from '../../platform/ui/messages';
import type { Diagnoses } from '../../views/diagnosis/loader';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import { agentOf, pickAgent } from './agents';

export interface DiagnosisCommands {
  readonly agents: Agents;
  readonly tree: SessionsTree;
  readonly diagnoses: Diagnoses;
}

/** "Diagnose Agent…": the agent of a row, the one with this id, or one that the user chooses. */
export async function diagnoseAgent(
  { agents, tree, diagnoses }: DiagnosisCommands,
  argument: unknown,
): Promise<void> {
  const named = typeof argument === 'string' ? agents.get(argument) : agentOf(tree, argument);
  const programs = agents.all.filter(({ config }) => config.transport === undefined);
  const agent = named ?? (await pickAgent(programs, l10n.t('Diagnose Agent')));
  if (agent === undefined) {
    return;
  }
  if (programs.includes(agent)) {
    await diagnoses.diagnose(agent);
  } else {
    void showInformationMessage(l10n.t('A trace can only be read.'));
  }
}
