import path from 'node:path';
import * as vscode from 'vscode';
import { gitProgram } from '../../platform/gitProgram';
import { onDidChangeSetting } from '../../platform/settings/setting';
import { Consents } from '../../platform/storage/consents';
import { getMemento, StoredMap } from '../../platform/storage/storedState';
import { chosenShells } from '../../platform/terminals/chosenShells';
import { commandShell, mustTakeLine } from '../../platform/terminals/commandShell';
import { keepContexts } from '../../platform/ui/contexts';
import { getRef } from '../../shared/sessionRef';
import { Emitter } from '../../util/emitter';
import { feature } from '../feature';
import { Agreement } from './agreement';
import { checkFacts } from './checkFacts';
import { Checking } from './checking';
import { checkCommandIds as ids } from './commandIds';
import { checkContextKeys } from './contextKeys';
import { CheckRuns } from './model/checkRuns';
import { readFolderState } from './model/folderState';
import { checkCommand, checkSettingKeys } from './settings';
import { storedChecks } from './storedChecks';

const owned = {
  commandIds: ids,
  settingKeys: checkSettingKeys,
  contextKeys: checkContextKeys,
};

/** Runs a command of the user's in the folder of a session, and says whether it passed. */
export const check = feature(owned, (core) => {
  const { context, lifetime, log, state, workspace } = core;
  const runs = new CheckRuns({
    terminals: core.terminals,
    shellFor: async (line) => {
      const shell = await commandShell(chosenShells());
      mustTakeLine(shell, line);
      return shell;
    },
    kept: new StoredMap(getMemento(state, storedChecks), storedChecks),
    readFolder: async (cwd) =>
      workspace.trusted ? readFolderState(await gitProgram(), cwd) : undefined,
    log: log.component('check'),
  });
  lifetime.own(
    keepContexts(
      () => ({
        [checkContextKeys.checkable]: workspace.folders.some(
          (folder) => checkCommand(vscode.Uri.file(folder.path)) !== '',
        ),
      }),
      [onDidChangeSetting(checkSettingKeys.checkCommand), workspace.onDidChange],
    ),
  );
  lifetime.beforeEnd(() => runs.end());
  const folder = path.join(context.globalStorageUri.fsPath, 'consents', 'check');
  const agreement = new Agreement(new Consents(folder));
  const checking = lifetime.own(new Checking({ ...core, runs, agreement }));
  core.checks.provide(checking);
  const changed = lifetime.own(new Emitter<void>());
  lifetime.own(runs.onDidChange(() => changed.fire()));
  core.headerFacts.provide(
    ({ agent, info }) => checkFacts(runs.of(agent.id, info.sessionId)),
    changed.event,
    (session) => checking.open(getRef(session)),
  );
  return {
    commands: {
      [ids.runCheck]: (argument) => checking.open(argument),
    },
    parts: {},
  };
});
