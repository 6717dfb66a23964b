import { getLabel } from '../../../model/text/titles';
import type { Failure } from '../../../shared/failure';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import type { PanelSession } from './panelSession';
import { standIn } from './standIn';

/**
 * Stands in for a session that can't be opened: its agent is no longer configured, or its tab's URI
 * is invalid.
 */
export function orphanSession(
  saved: SavedTranscript,
  failure: Failure,
  retry: () => Promise<void>,
): PanelSession {
  return {
    ...standIn(),
    agent: { id: saved.agentId, title: saved.agentId, isOnly: false, supports: () => false },
    info: saved,
    title: getLabel(saved.title),
    phase: { kind: 'failed', failure },
    writable: { kind: 'no', reason: `${failure.title}.` },
    reload: retry,
  };
}
