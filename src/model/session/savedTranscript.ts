import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import type { Session } from './session';

type Identified = Pick<Session, 'info' | 'title'> & { readonly agent: { readonly id: string } };

/** What it takes to open a session again: after a reload, or for a prompt that is written for it. */
export function savedOf({ agent, info, title }: Identified): SavedTranscript {
  return {
    agentId: agent.id,
    sessionId: info.sessionId,
    cwd: info.cwd,
    additionalDirectories: info.additionalDirectories,
    title,
  };
}
