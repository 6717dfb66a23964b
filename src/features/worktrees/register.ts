import { Emitter } from '../../util/emitter';
import { feature } from '../feature';
import { applyHunks } from './applyHunks';
import { applyToWorkspace } from './applyToWorkspace';
import { branchFacts } from './branchFacts';
import { BranchStates } from './branchStates';
import { cleanUpWorktrees } from './cleaningUp';
import { worktreesCommandIds as ids } from './commandIds';
import { compareSessions, compareWorktree } from './compareWorktree';
import { comparisonFacts, openComparison } from './comparison/openComparison';
import { CrowdedFolders } from './crowdedFolders';
import { finishWorktree } from './finishing';
import type { Neighborhood } from './model/siblings';
import { moveChanges } from './moving/moveChanges';
import { newSessionInWorktree } from './newInWorktree';
import { openWorktree } from './openWorktree';
import { worktreeMaker } from './plannedWorktrees';
import { removeChosenWorktree } from './removing';
import { worktreesSettingKeys } from './settings';

/** Sessions in Git worktrees of their own, and what becomes of their changes. */
export const worktrees = feature({ commandIds: ids, settingKeys: worktreesSettingKeys }, (core) => {
  const { context, headerFacts, lifetime, newPlaces, worktrees: known } = core;
  const openPage = (neighborhood: Neighborhood): void => {
    const page = openComparison(core, context.extensionUri, neighborhood);
    if (page !== undefined) {
      lifetime.own(page);
    }
  };
  headerFacts.provide(
    ({ info }) => comparisonFacts(core, info.cwd),
    known.onDidChange,
    () => compareSessions(core, openPage),
  );
  const states = lifetime.own(new BranchStates(core));
  core.worktreeStates.provide(states);
  const stateChanged = lifetime.own(new Emitter<void>());
  lifetime.own(states.onDidChange(() => stateChanged.fire()));
  headerFacts.provide(
    ({ info }) => branchFacts(states.of(info.cwd)),
    stateChanged.event,
    () => finishWorktree(core, { states, openPage }, undefined),
  );
  newPlaces.provide(worktreeMaker(core, openPage));
  lifetime.own(new CrowdedFolders(core));
  return {
    commands: {
      [ids.newSessionInWorktree]: (argument) => newSessionInWorktree(core, argument),
      [ids.compareWorktree]: (argument) => compareWorktree(core, argument, openPage),
      [ids.finishWorktree]: (argument) => finishWorktree(core, { states, openPage }, argument),
      [ids.applyToWorkspace]: (argument) => applyToWorkspace(core, argument),
      [ids.applyHunks]: (argument) => applyHunks(core, argument),
      [ids.moveChanges]: (argument) => moveChanges(core, argument),
      [ids.openWorktree]: (argument) => openWorktree(core, argument),
      [ids.cleanUpWorktrees]: () => cleanUpWorktrees(core),
      [ids.removeWorktree]: (argument) => removeChosenWorktree(core, argument),
    },
    parts: {},
  };
});
