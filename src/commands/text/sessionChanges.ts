import { openChanges } from '../../views/transcript/text/openChanges';
import type { CommandServices } from '../session/commandServices';
import { openSessionOf, targetOf } from '../session/sessionTarget';

/** Opens all changes of a session in one editor: those to review, otherwise those that its calls reported. */
export async function openSessionChanges(
  services: CommandServices,
  argument: unknown,
): Promise<void> {
  const target = targetOf(services, argument);
  const session = target && openSessionOf(services, target);
  const review = target && services.reviews.of(target.agent.id, target.info.sessionId);
  if (review !== undefined && review.pending.length > 0) {
    await services.reviews.actions?.show(review);
  } else if (session !== undefined) {
    const context = { cwd: session.info.cwd, roots: session.roots };
    await openChanges(services.documents, session, context);
  }
}
