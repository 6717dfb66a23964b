import { canDo } from '../agents/abilities';
import type { CommandServices } from './commandServices';
import { withViewProgress } from './newSession';
import { findOpenSession, findTarget } from './sessionTarget';

/** "Resume without History" (RES-1): continues a session without loading its history. */
export async function resumeSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target === undefined) {
    return;
  }
  const { agent, info } = target;
  const open = findOpenSession(services, target);
  if (open !== undefined) {
    await services.panels.show(open);
    return;
  }
  if (await canDo(agent, 'resume')) {
    const session = await withViewProgress(() => services.sessions.resume(agent, info));
    (await services.panels.show(session)).focusComposer();
  }
}
