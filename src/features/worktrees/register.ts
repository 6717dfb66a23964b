import { feature } from '../feature';
import { applyToWorkspace } from './applyToWorkspace';
import { askSeveralAgents } from './askSeveral';
import { worktreesCommandIds as ids } from './commandIds';
import { compareWithBase } from './comparing';
import { compareWithAnother } from './comparingTwo';
import { newSessionInWorktree } from './newInWorktree';
import { openWorktree } from './openWorktree';
import { removeChosenWorktree } from './removing';
import { worktreesSettingKeys } from './settings';

/** Sessions in Git worktrees of their own, and what becomes of their changes. */
export const worktrees = feature(
  { commandIds: ids, settingKeys: worktreesSettingKeys },
  (core) => ({
    commands: {
      [ids.newSessionInWorktree]: (argument) => newSessionInWorktree(core, argument),
      [ids.askSeveralAgents]: (argument) => askSeveralAgents(core, argument),
      [ids.compareWithBase]: (argument) => compareWithBase(core, argument),
      [ids.compareWithAnother]: (argument) => compareWithAnother(core, argument),
      [ids.applyToWorkspace]: (argument) => applyToWorkspace(core, argument),
      [ids.openWorktree]: (argument) => openWorktree(core, argument),
      [ids.removeWorktree]: (argument) => removeChosenWorktree(core, argument),
    },
    parts: {},
  }),
);
