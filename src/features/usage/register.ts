import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { folderSize } from '../../model/files/folderSize';
import { feature } from '../feature';
import { usageCommandIds as ids } from './commandIds';
import { UsageCounter } from './model/usageCounter';
import { UsageFiles } from './model/usageFiles';
import { storedUsageId, UsageView } from './usageView';

/** Keeps what the turns of agents use, and shows it by agent, day and folder. */
export const usage = feature({ commandIds: ids }, (core) => {
  const { context, lifetime, log, sessions } = core;
  const folder = path.join(context.globalStorageUri.fsPath, 'usage');
  const files = new UsageFiles(folder, log.component('usage'));
  const counter = lifetime.own(new UsageCounter({ sessions, files }));
  lifetime.beforeEnd(() => counter.flush());
  const view = lifetime.own(new UsageView({ ...core, counter, files }));
  core.storedData.provide({
    id: storedUsageId,
    label: l10n.t('Usage'),
    detail: l10n.t('What all windows have counted of all agents.'),
    size: () => folderSize(folder),
    clear: () => view.clear(),
  });
  return {
    commands: {
      [ids.showUsage]: () => view.show(),
      [ids.exportUsage]: () => view.export(),
    },
    parts: {},
  };
});
