import path from 'node:path';
import { Consents } from '../../platform/storage/consents';
import { chosenShells } from '../../platform/terminals/chosenShells';
import { commandShell, mustTakeLine } from '../../platform/terminals/commandShell';
import { getRef } from '../../shared/sessionRef';
import { Emitter } from '../../util/emitter';
import { feature } from '../feature';
import { Agreement } from './agreement';
import { checkFacts } from './checkFacts';
import { Checking } from './checking';
import { checkCommandIds as ids } from './commandIds';
import { CheckRuns } from './model/checkRuns';
import { checkSettingKeys } from './settings';

/** Runs a command of the user's in the folder of a session, and says whether it passed. */
export const check = feature({ commandIds: ids, settingKeys: checkSettingKeys }, (core) => {
  const { context, lifetime, log } = core;
  const runs = new CheckRuns({
    terminals: core.terminals,
    shellFor: async (line) => {
      const shell = await commandShell(chosenShells());
      mustTakeLine(shell, line);
      return shell;
    },
    log: log.component('check'),
  });
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
      [ids.runCheck]: (argument) => checking.run(argument),
      [ids.showCheck]: (argument) => checking.open(argument),
      [ids.stopCheck]: (argument) => checking.stop(argument),
      [ids.fixCheck]: (argument) => checking.fix(argument),
    },
    parts: {},
  };
});
