import { agentRemoved } from '../../model/failures';
import { labelOf } from '../../model/titles';
import { Transcript } from '../../model/transcript';
import type { SavedTranscript } from '../../shared/messages';
import { Emitter } from '../../util/emitter';
import type { PanelSession } from './panel';

/** Stands for a session whose agent isn't set up any more: a tab of it can come back after a reload. */
export function orphanSession(saved: SavedTranscript): PanelSession {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    agent: { id: saved.agentId, title: saved.agentId },
    info: saved,
    title: labelOf(saved.title),
    phase: { kind: 'failed', failure: agentRemoved(saved.agentId) },
    transcript: new Transcript(),
    onDidChange: new Emitter<void>().event,
    load: nothing,
    cancelLoad: () => undefined,
    reload: nothing,
    close: nothing,
  };
}
