import { canDo } from '../agents/abilities';
import type { CommandServices } from './commandServices';
import { askForSession, showNew, withViewProgress } from './newSession';
import { openSessionOf, targetOf } from './sessionTarget';

/** "Resume without History" (RES-1): continues a session without loading its history. */
export async function resumeSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = targetOf(services, argument);
  if (target === undefined) {
    return;
  }
  const { agent, info } = target;
  const open = openSessionOf(services, target);
  if (open !== undefined) {
    await services.panels.show(open);
    return;
  }
  if (await canDo(agent, 'resume')) {
    const session = await withViewProgress(() => services.sessions.resume(agent, info));
    (await services.panels.show(session)).focusComposer();
  }
}

/** "Fork": another session with the same history. */
export async function forkSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = targetOf(services, argument);
  if (target !== undefined && (await canDo(target.agent, 'fork'))) {
    const { agent, info } = target;
    const session = await askForSession(services, agent, (signal) =>
      services.sessions.fork(agent, info, { signal }),
    );
    await showNew(services, session);
  }
}
