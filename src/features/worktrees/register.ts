import { feature } from '../feature';
import { applyToWorkspace } from './applyToWorkspace';
import { askSeveralAgents } from './askSeveral';
import { worktreesCommandIds as ids } from './commandIds';
import { compareWithBase } from './comparing';
import { compareWithAnother } from './comparingTwo';
import { compareSessions, comparisonFacts } from './comparison/openComparison';
import { CrowdedFolders } from './crowdedFolders';
import { newSessionInWorktree } from './newInWorktree';
import { openWorktree } from './openWorktree';
import { removeChosenWorktree } from './removing';
import { worktreesSettingKeys } from './settings';

/** Sessions in Git worktrees of their own, and what becomes of their changes. */
export const worktrees = feature({ commandIds: ids, settingKeys: worktreesSettingKeys }, (core) => {
  const { context, headerFacts, lifetime, worktrees: known } = core;
  const compare = async (argument: unknown): Promise<void> => {
    const page = await compareSessions(core, context.extensionUri, argument);
    if (page !== undefined) {
      lifetime.own(page);
    }
  };
  headerFacts.provide(
    ({ info }) => comparisonFacts(core, info.cwd),
    known.onDidChange,
    () => compare(undefined),
  );
  lifetime.own(new CrowdedFolders(core));
  return {
    commands: {
      [ids.newSessionInWorktree]: (argument) => newSessionInWorktree(core, argument),
      [ids.askSeveralAgents]: (argument) => askSeveralAgents(core, argument),
      [ids.compareWithBase]: (argument) => compareWithBase(core, argument),
      [ids.compareWithAnother]: (argument) => compareWithAnother(core, argument),
      [ids.showComparison]: compare,
      [ids.applyToWorkspace]: (argument) => applyToWorkspace(core, argument),
      [ids.openWorktree]: (argument) => openWorktree(core, argument),
      [ids.removeWorktree]: (argument) => removeChosenWorktree(core, argument),
    },
    parts: {},
  };
});
