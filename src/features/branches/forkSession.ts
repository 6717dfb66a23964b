import { canDo } from '../../commands/agents/abilities';
import type { CommandServices } from '../../commands/session/commandServices';
import { askForSession, showNew } from '../../commands/session/newSession';
import { findTarget } from '../../commands/session/sessionTarget';

/** "Fork": another session with the same history. */
export async function forkSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target !== undefined && (await canDo(target.agent, 'fork'))) {
    const { agent, info } = target;
    const session = await askForSession(services, agent, (signal) =>
      services.sessions.fork(agent, info, { signal }),
    );
    await showNew(services, session);
  }
}
