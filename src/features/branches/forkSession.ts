import { getTargets, sessionNode } from '../../commands/session/sessionTarget';
import { type BranchServices, branchSession } from './branchSession';
import { forkWhole } from './forkWhole';

/**
 * "Fork…": of a row, another session with the same history; in a transcript, one that begins before the prompt of the
 * menu, or with the turn that the user picks, or with the whole history.
 */
export async function forkSession(services: BranchServices, argument: unknown): Promise<void> {
  if (sessionNode(services.tree, argument) === undefined) {
    await branchSession(services, argument, 'fork');
    return;
  }
  for (const target of getTargets(services, argument, undefined)) {
    await forkWhole(services, target);
  }
}
