import { part } from '../../util/part';
import { feature } from '../feature';
import { FollowRemotes } from './model/followRemotes';

const load = part(() => import('./remoteAgents'));

/** Agents on other machines: how they are reached, and that a line that broke is connected again. */
export const remote = feature({ commandIds: {} }, (core) => {
  core.remoteAgents.provide(async (agent, options) => {
    const { connectRemote } = await load();
    return connectRemote(agent, options, core);
  });
  core.lifetime.own(new FollowRemotes({ agents: core.agents }));
  return { commands: {}, parts: {} };
});
