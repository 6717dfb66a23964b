import type { CommandServices } from '../../commands/session/commandServices';
import { findOpenSession, findTarget } from '../../commands/session/sessionTarget';
import { openAllChanges } from '../../views/transcript/text/openChanges';

/** Opens all changes of a session in one editor: those to review, and those that its calls reported in turns that aren't recorded. */
export async function openSessionChanges(
  services: CommandServices,
  argument: unknown,
): Promise<void> {
  const target = findTarget(services, argument);
  const session = target && findOpenSession(services, target);
  const review = target && services.reviews.of(target.agent.id, target.info.sessionId);
  if (session !== undefined) {
    const context = { cwd: session.info.cwd, roots: session.roots };
    await openAllChanges(services, session, review, context);
  } else if (review !== undefined && review.pending.length > 0) {
    await (await services.reviews.actions())?.show(review);
  }
}
