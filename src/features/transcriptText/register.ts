import { feature } from '../feature';
import { transcriptTextCommandIds as ids } from './commandIds';
import { compareSessions } from './compareSessions';
import { exportSession } from './exportSession';
import { SessionReaders } from './model/sessionReaders';
import { openSessionChanges } from './sessionChanges';
import { TranscriptFiles } from './transcriptFiles';

/** Sessions as texts: exported, opened, compared. */
export const transcriptText = feature({ commandIds: ids }, (core) => {
  const { panels, lifetime } = core;
  const isShown = (agentId: string, id: string): boolean => panels.has(agentId, id);
  const readers = new SessionReaders(core.sessions, isShown, core.knownTranscripts);
  const log = core.log.component('transcript');
  const transcriptFiles = lifetime.own(new TranscriptFiles({ ...core, readers, log }));
  const services = { ...core, readers, transcriptFiles };
  return {
    commands: {
      [ids.exportSession]: (argument) => exportSession(services, argument),
      [ids.compareSessions]: (argument, selection) =>
        compareSessions(services, argument, selection),
      [ids.openChanges]: (argument) => openSessionChanges(core, argument),
    },
    parts: {},
  };
});
