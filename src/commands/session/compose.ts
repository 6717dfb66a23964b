import type { KeptWork } from '../../model/kept/keptWork';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import type { Session } from '../../model/session/session';
import type { Draft } from '../../shared/transcript/prompt';
import type { CommandServices } from './commandServices';
import { createSession, showNew } from './newSession';

export interface ComposeServices extends CommandServices {
  readonly work: Pick<KeptWork, 'read' | 'setDraft'>;
}

/**
 * Puts a draft into the composer of the active or last active session that can be prompted, or of a new one. Sends
 * nothing.
 */
export async function compose(services: ComposeServices, draft: Draft): Promise<void> {
  const { recent } = services.panels;
  if (recent?.session.writable.kind === 'yes') {
    recent.edit(draft);
    return;
  }
  const session = await createSession(services, undefined);
  if (session !== undefined) {
    await showNewWithDraft(services, session, draft);
  }
}

/** Shows a session that was just created, with a draft in its composer. */
export async function showNewWithDraft(
  services: ComposeServices,
  session: Session,
  draft: Draft,
): Promise<void> {
  await services.work.read();
  services.work.setDraft(toSavedTranscript(session), draft);
  await showNew(services, session);
}
