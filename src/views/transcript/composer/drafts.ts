import { savedOf } from '../../../model/session/savedTranscript';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import type { PanelServices, PanelSession } from '../tabs/panelSession';

interface DraftTarget {
  readonly session: PanelSession;
  readonly services: PanelServices;
  readonly post: (message: ToWebview) => void;
}

/** Gives a page what was being written. It was a page's word, so no file counts as offered by this. */
export function postDraft({ session, services, post }: DraftTarget): void {
  post({ type: 'draft', ...services.work.draftOf(session.agent.id, session.info.sessionId) });
}

/** Keeps what a page says that is being written. */
export function keepDraft(
  { session, services: { work } }: DraftTarget,
  { draft }: Extract<FromWebview, { type: 'draft' }>,
): void {
  const known = work.draftOf(session.agent.id, session.info.sessionId).draft;
  work.setDraft(savedOf(session), { ...known, ...draft });
}
