import type { SavedTranscript } from '../../shared/messages';
import type { PanelSession } from './panelSession';

/** What it takes to open a session again: after a reload, or for a prompt that is written for it. */
export function savedOf({
  agent,
  info,
  title,
}: Pick<PanelSession, 'agent' | 'info' | 'title'>): SavedTranscript {
  return {
    agentId: agent.id,
    sessionId: info.sessionId,
    cwd: info.cwd,
    additionalDirectories: info.additionalDirectories,
    title,
  };
}
