import * as l10n from '@vscode/l10n';
import { sessionName, sessionTitle } from '../../model/agents/whose';
import { refuse } from '../agents/abilities';
import { mayEnd } from '../agents/endWork';
import type { CommandServices } from './commandServices';
import { findOpenSession, findTarget, getTargets } from './sessionTarget';

/**
 * Closing isn't deleting: the row stays (CLOSE-6). Closes the tab and the session, busy or not, if its agent
 * supports that.
 */
export async function closeSession(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = getTargets(services, argument, selection).filter(
    (target) => findOpenSession(services, target) !== undefined,
  );
  const closable = targets.filter(({ agent }) => agent.supports('close'));
  const open = closable.flatMap((target) => findOpenSession(services, target) ?? []);
  const [first] = open.filter(({ isBusy }) => isBusy);
  const question =
    open.length === 1 && first !== undefined
      ? l10n.t('{0} is still working. Stop it?', sessionName(first))
      : l10n.t('Some of these sessions are still working. Stop them?');
  if (await mayEnd(open, question, l10n.t('Stop and Close'), sessionTitle)) {
    await Promise.all(
      closable.map(({ agent, info }) => services.panels.close(agent.id, info.sessionId)),
    );
    await Promise.all(open.map((session) => session.close()));
  }
  const refusing = new Set(
    targets.map(({ agent }) => agent).filter((agent) => !agent.supports('close')),
  );
  for (const agent of refusing) {
    refuse(agent, 'close');
  }
}

/**
 * Cancels the running turn (CA-1); if the agent doesn't react, the next call ends the turn here
 * (CA-11).
 */
export function stopTurn(services: CommandServices, argument: unknown): void {
  const target = findTarget(services, argument);
  if (target !== undefined) {
    const session = findOpenSession(services, target);
    if (session?.turns.current.kind === 'running' && session.turns.current.canForce) {
      session.turns.forceFinish();
    } else {
      session?.turns.cancel();
    }
  }
}

/** Stops the subagent of a row and nothing else (SUB-6). */
export function stopSubagent({ tree, sessions }: CommandServices, argument: unknown): void {
  if (tree.isNode(argument) && argument.kind === 'subagent') {
    const { agentId, info } = argument.session.row;
    sessions.find(agentId, info.sessionId)?.stopSubagent(argument.subagent.number);
  }
}
