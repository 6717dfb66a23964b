import path from 'node:path';
import { feature } from '../feature';
import { usageCommandIds as ids } from './commandIds';
import { UsageCounter } from './model/usageCounter';
import { UsageFiles } from './model/usageFiles';
import { UsageView } from './usageView';

/** Keeps what the turns of agents use, and shows it by agent, day and folder. */
export const usage = feature({ commandIds: ids }, (core) => {
  const { context, lifetime, log, sessions } = core;
  const folder = path.join(context.globalStorageUri.fsPath, 'usage');
  const files = new UsageFiles(folder, log.component('usage'));
  const counter = lifetime.own(new UsageCounter({ sessions, files }));
  lifetime.beforeEnd(() => counter.flush());
  const view = lifetime.own(new UsageView({ ...core, counter, files }));
  return {
    commands: {
      [ids.showUsage]: () => view.show(),
      [ids.exportUsage]: () => view.export(),
      [ids.clearUsage]: () => view.clear(),
    },
    parts: {},
  };
});
