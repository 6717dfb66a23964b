import * as l10n from '@vscode/l10n';
import type { Agents } from '../../model/agents/agents';
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
  const agent = named ?? (await pickAgent(agents.all, l10n.t('Diagnose Agent')));
  if (agent !== undefined) {
    await diagnoses.diagnose(agent);
  }
}
