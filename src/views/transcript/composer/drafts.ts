import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import type { PanelServices, PanelSession } from '../tabs/panelSession';

interface DraftTarget {
  readonly session: PanelSession;
  readonly services: PanelServices;
  readonly post: (message: ToWebview) => void;
}

/** Sends the kept draft to a page. It came from a page, so its files don't count as offered. */
export function postDraft({ session, services, post }: DraftTarget): void {
  post({ type: 'draft', ...services.work.getDraft(session.agent.id, session.info.sessionId) });
}

/** Keeps the draft that a page reports. */
export function keepDraft(
  { session, services: { work } }: DraftTarget,
  { draft }: Extract<FromWebview, { type: 'draft' }>,
): void {
  const known = work.getDraft(session.agent.id, session.info.sessionId).draft;
  work.setDraft(toSavedTranscript(session), { ...known, ...draft });
}
