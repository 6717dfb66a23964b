import { canDo } from '../../commands/agents/abilities';
import type { CommandServices } from '../../commands/session/commandServices';
import { askForSession, showNew } from '../../commands/session/newSession';
import type { CommandTarget } from '../../commands/session/sessionTarget';

/** Another session with the same history, if the agent can fork; the user is told if it can't. */
export async function forkWhole(
  services: CommandServices,
  { agent, info }: Pick<CommandTarget, 'agent' | 'info'>,
): Promise<void> {
  if (await canDo(agent, 'fork')) {
    const session = await askForSession(services, agent, (signal) =>
      services.sessions.fork(agent, info, { signal }),
    );
    await showNew(services, session);
  }
}
