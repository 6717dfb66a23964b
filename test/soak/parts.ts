import type { Check } from './check';
import { costChecks } from './cost';
import { escapingChecks } from './escaping';
import { generated } from './generated';
import { listAttacks } from './listAttacks';
import { machineAttacks } from './machineAttacks';
import { processChecks } from './processChecks';
import { requestAttacks } from './requestAttacks';
import { updateAttacks } from './updateAttacks';
import { workspaceChecks } from './workspaceChecks';

/** Everything that is run, by the part that it belongs to. */
export const parts: Readonly<Record<string, readonly Check[]>> = {
  chain: [...updateAttacks, ...requestAttacks, ...listAttacks, ...machineAttacks, generated],
  workspace: workspaceChecks,
  processes: processChecks,
  escaping: escapingChecks,
  cost: costChecks,
};

export function partOf(name: string): readonly Check[] {
  return parts[name] ?? [];
}
