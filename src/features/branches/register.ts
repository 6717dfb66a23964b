import { feature } from '../feature';
import { BranchPages } from './branchPages';
import { branchSession } from './branchSession';
import { branchesCommandIds as ids } from './commandIds';
import { forkSession } from './forkSession';
import { openFork, openOrigin } from './origins';

/** Forks sessions, and goes back in conversations. */
export const branches = feature({ commandIds: ids }, (core) => {
  core.branches.provide(new BranchPages(core));
  return {
    commands: {
      [ids.forkSession]: (argument) => forkSession(core, argument),
      [ids.editAndResend]: (argument) => branchSession(core, argument, 'edit'),
      [ids.retryTurn]: (argument) => branchSession(core, argument, 'retry'),
      [ids.openOrigin]: (argument) => openOrigin(core, argument),
      [ids.openFork]: (argument) => openFork(core, argument),
    },
    parts: {},
  };
});
