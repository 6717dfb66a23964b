import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import type { Session } from '../session/session';

type Identified = Pick<Session, 'info' | 'title'> & { readonly agent: { readonly id: string } };

/** The state that identifies a session, to open it again after a reload or to prompt it from an editor. */
export function toSavedTranscript({ agent, info, title }: Identified): SavedTranscript {
  return {
    agentId: agent.id,
    sessionId: info.sessionId,
    cwd: info.cwd,
    additionalDirectories: info.additionalDirectories,
    title,
  };
}
