import { Agents } from '../../src/model/agents/agents';
import { PromptTitles } from '../../src/model/list/promptTitles';
import { RememberedLists } from '../../src/model/list/rememberedLists';
import { RememberedSessions } from '../../src/model/list/rememberedSessions';
import { connectAgent } from '../../src/protocol/connectAgent';
import { FakeSettings, FakeWorkspace, memento } from '../unit/model/fakePlatform';
import { config, silentLog } from '../unit/model/fakes';
import { type Peer, requestsWith, TestLog } from '../unit/protocol/peer';

/** One agent, `demo`, connected to this peer, with the shipped bounds on lists. */
export function agentsOn(peer: Peer): Agents {
  const settings = new FakeSettings();
  settings.agents = { agents: [config('demo')], problems: [] };
  const agents = new Agents({
    settings,
    workspace: new FakeWorkspace(),
    connect: () => connectAgent(peer.client, { clientVersion: '0.0.0', log: new TestLog() }),
    realPath: (file) => Promise.resolve(file),
    log: silentLog,
    remembered: new RememberedSessions(memento()),
    promptTitles: new PromptTitles(memento()),
    lists: new RememberedLists(memento(), { remembersLists: true }),
  });
  agents.serve({ getRequests: () => requestsWith({}), isBusy: () => false });
  return agents;
}
