import { changedInTurn } from '../../model/changes/turnChanges';
import { bundledAgent } from '../../platform/settings/bundledAgent';
import type { SessionRef } from '../../shared/sessionRef';
import { part } from '../../util/part';
import { feature } from '../feature';
import { EditorServers } from './model/editorServers';
import { withoutTools } from './model/remoteTools';
import { ToolFacts } from './model/toolFacts';
import { editorToolsSettingKeys, offersActs, offersTools } from './settings';

const load = part(() => import('./editorTools'));

/** The tools of the editor that agents can call. */
export const editorTools = feature(
  { commandIds: {}, settingKeys: editorToolsSettingKeys },
  (core) => {
    const { context, log, held, lifetime, version, sessions, reviews, terminals } = core;
    const toolsLog = log.component('tools');
    const changedFiles = ({ agentId, sessionId }: SessionRef): readonly string[] => {
      const session = sessions.find(agentId, sessionId);
      return session ? changedInTurn(session, reviews.of(agentId, sessionId)) : [];
    };
    const facts = new ToolFacts();
    const servers = lifetime.own(
      new EditorServers({
        isOn: offersTools,
        load: async () =>
          (await load()).createToolServer(
            { log: toolsLog, version, mayAct: offersActs, changedFiles, terminals },
            lifetime.own,
          ),
        bridge: bundledAgent(context, 'mcpBridge', []),
        held,
        facts,
        log: toolsLog,
      }),
    );
    core.ownServers.provide(servers);
    core.headerFacts.provide((session) => facts.of(session), facts.onDidChange);
    core.diagnosisFacts.provide((agentId) => {
      const agent = core.agents.get(agentId);
      return [...(agent && offersTools() ? withoutTools(agent) : []), ...facts.ofAgent(agentId)];
    });
    return { commands: {}, parts: {} };
  },
);
