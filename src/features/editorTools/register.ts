import { part } from '../../util/part';
import { feature } from '../feature';
import { EditorServers } from './model/editorServers';
import { editorToolsSettingKeys, offersActs, offersTools } from './settings';

const load = part(() => import('./editorTools'));

/** The tools of the editor that agents can call. */
export const editorTools = feature(
  { commandIds: {}, settingKeys: editorToolsSettingKeys },
  (core) => {
    const { log, held, lifetime, version } = core;
    const toolsLog = log.component('tools');
    const servers = lifetime.own(
      new EditorServers({
        isOn: offersTools,
        load: async () =>
          (await load()).createToolServer(
            { log: toolsLog, version, mayAct: offersActs },
            lifetime.own,
          ),
        held,
        log: toolsLog,
      }),
    );
    core.ownServers.provide(servers);
    return { commands: {}, parts: {} };
  },
);
