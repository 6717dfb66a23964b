import * as vscode from 'vscode';
import { viewIds } from '../../platform/ids';
import { Emitter } from '../../util/emitter';
import { feature } from '../feature';
import { worktreesCommandIds as ids } from './commandIds';
import { compareSessions, compareWorktree } from './comparison/compareWorktree';
import type { ComparisonPage } from './comparison/comparisonPage';
import { comparisonFacts, openComparison, restoreComparison } from './comparison/openComparison';
import { CrowdedFolders } from './crowdedFolders';
import { finishWorktree } from './finishing/finishing';
import { newSessionInWorktree } from './making/newInWorktree';
import { worktreeMaker } from './making/plannedWorktrees';
import type { Neighborhood } from './model/siblings';
import { moveChanges } from './moving/moveChanges';
import { cleanUpWorktrees } from './removing/cleaningUp';
import { removeChosenWorktree } from './removing/removing';
import { worktreesSettingKeys } from './settings';
import { branchFacts } from './state/branchFacts';
import { BranchStates } from './state/branchStates';

/** Sessions in Git worktrees of their own, and what becomes of their changes. */
export const worktrees = feature({ commandIds: ids, settingKeys: worktreesSettingKeys }, (core) => {
  const { context, headerFacts, lifetime, newPlaces, worktrees: known } = core;
  const keep = (page: ComparisonPage | undefined): void => {
    if (page !== undefined) {
      lifetime.own(page);
    }
  };
  const { extensionUri } = context;
  const openPage = (neighborhood: Neighborhood): void =>
    keep(openComparison(core, extensionUri, neighborhood));
  lifetime.own(
    vscode.window.registerWebviewPanelSerializer(viewIds.comparison, {
      deserializeWebviewPanel: async (panel, state) =>
        keep(await restoreComparison(core, extensionUri, panel, state)),
    }),
  );
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
      [ids.moveChanges]: (argument) => moveChanges(core, argument),
      [ids.cleanUpWorktrees]: () => cleanUpWorktrees(core),
      [ids.removeWorktree]: (argument) => removeChosenWorktree(core, argument),
    },
    parts: {},
  };
});
