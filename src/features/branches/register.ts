import { feature } from '../feature';
import { SessionReaders } from '../transcriptText/model/sessionReaders';
import { BranchPages } from './branchPages';
import { branchSession } from './branchSession';
import { branchesCommandIds as ids } from './commandIds';
import { continueIn, continueWith } from './continueWith';
import { forkSession } from './forkSession';
import { openFork, openOrigin } from './origins';

/** Forks sessions, goes back in conversations, and continues them with other agents. */
export const branches = feature({ commandIds: ids }, (core) => {
  const isShown = (agentId: string, id: string): boolean => core.panels.has(agentId, id);
  const readers = new SessionReaders(core.sessions, isShown, core.knownTranscripts);
  const pages = new BranchPages(core, (session, folder) =>
    continueIn({ ...core, readers }, session, folder),
  );
  core.branches.provide(pages);
  return {
    commands: {
      [ids.forkSession]: (argument) => forkSession(core, argument),
      [ids.editAndResend]: (argument) => branchSession(core, argument, 'edit'),
      [ids.retryTurn]: (argument) => branchSession(core, argument, 'retry'),
      [ids.continueWith]: (argument) => continueWith({ ...core, readers }, argument),
      [ids.openOrigin]: (argument) => openOrigin(core, argument),
      [ids.openFork]: (argument) => openFork(core, argument),
    },
    parts: {},
  };
});
