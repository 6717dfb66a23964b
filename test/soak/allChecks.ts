import type { Check } from './check';
import { commandAttacks } from './commandAttacks';
import { costChecks } from './cost';
import { deletionAttacks } from './deletionAttacks';
import { downloadAttacks } from './downloadAttacks';
import { escapingChecks } from './escaping';
import { generated } from './generated';
import { grantAttacks } from './grantAttacks';
import { runIndexFaults } from './indexFaults';
import { inputAttacks } from './inputAttacks';
import { listAttacks } from './listAttacks';
import { longRuns } from './longRun';
import { machineAttacks } from './machineAttacks';
import { processChecks } from './processChecks';
import { requestAttacks } from './requestAttacks';
import { secretAttacks } from './secretAttacks';
import { sharingAttacks } from './sharingAttacks';
import { storeAttacks } from './storeAttacks';
import { streamAttacks } from './streamAttacks';
import { traceAttacks } from './traceAttacks';
import { updateAttacks } from './updateAttacks';
import { workspaceChecks } from './workspaceChecks';

/** Left out of the short form because the tests of the index's lock include a short run of it. */
const indexFaults: Check = {
  name: 'faults of the search index',
  wholeOnly: true,
  seconds: 300,
  run: async ({ seed, size }) => {
    const { kept, killed, slept, damaged } = await runIndexFaults({ rounds: size(8, 2), seed });
    return `${kept} sessions kept, ${killed} killed, ${slept} slept, ${damaged} damaged`;
  },
};

/** All checks, by part. */
export const parts: Readonly<Record<string, readonly Check[]>> = {
  chain: [
    ...updateAttacks,
    ...requestAttacks,
    ...listAttacks,
    ...machineAttacks,
    ...commandAttacks,
    ...deletionAttacks,
    ...downloadAttacks,
    ...grantAttacks,
    ...inputAttacks,
    ...storeAttacks,
    ...sharingAttacks,
    ...streamAttacks,
    ...secretAttacks,
    ...traceAttacks,
    generated,
  ],
  workspace: workspaceChecks,
  processes: processChecks,
  escaping: escapingChecks,
  cost: costChecks,
  sessions: longRuns,
  index: [indexFaults],
};

export function partOf(name: string): readonly Check[] {
  return parts[name] ?? [];
}
