import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import type { PanelServices, PanelSession } from '../tabs/panelSession';
import type { OfferedFiles } from './offeredFiles';

interface DraftTarget {
  readonly session: PanelSession;
  readonly services: Pick<PanelServices, 'work'>;
  readonly post: (message: ToWebview) => void;
}

/** Sends the kept draft to a page. It came from a page, so its files don't count as offered. */
export function postDraft({ session, services, post }: DraftTarget): void {
  post({ type: 'draft', ...services.work.getDraft(session.agent.id, session.info.sessionId) });
}

/** Keeps the draft that a page reports, without contexts that the page wasn't offered: those of a kept draft count as offered. */
export function keepDraft(
  {
    session,
    services: { work },
    offered,
  }: DraftTarget & { readonly offered: Pick<OfferedFiles, 'isOffered'> },
  { draft }: Extract<FromWebview, { type: 'draft' }>,
): void {
  const known = work.getDraft(session.agent.id, session.info.sessionId).draft;
  const attachments = draft.attachments?.filter((attachment) => offered.isOffered(attachment));
  work.setDraft(toSavedTranscript(session), {
    text: draft.text,
    attachments: attachments ?? known.attachments,
  });
  session.first?.wrote();
}
