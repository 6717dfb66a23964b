import { basename } from 'node:path';
import type { Agent } from '../../model/agent';
import type { Draft } from '../../shared/transcript/prompt';
import type { CommandServices } from './commandServices';
import { openNewPage } from './newSession';

/**
 * Puts a draft into the composer of the active or last active session that can be prompted, or of a new one. Sends
 * nothing.
 */
export async function compose(services: CommandServices, draft: Draft): Promise<void> {
  const { recent } = services.panels;
  if (recent?.session.writable.kind === 'yes') {
    recent.edit(draft);
    return;
  }
  await openNewPage(services, undefined, { draft });
}

/** Shows the page of a new session of an agent in a folder, with a draft in its composer. Sends nothing. */
export async function composeIn(
  services: CommandServices,
  agent: Agent,
  cwd: string,
  draft: Draft,
): Promise<void> {
  const { folders } = services.workspace;
  const folder = folders.find(({ path }) => path === cwd) ?? { name: basename(cwd), path: cwd };
  await services.panels.openNew({ agent, folder }, draft);
}

/** The agents that are where the sessions of this one are, itself first. */
export function agentsBeside(
  agents: Pick<CommandServices['agents'], 'get' | 'all'>,
  agentId: string,
): readonly Agent[] {
  const own = agents.get(agentId);
  const isRemote = own?.config.remote !== undefined;
  const others = agents.all.filter(({ id, config }) => id !== agentId && !config.remote);
  return [...(own ? [own] : []), ...(isRemote ? [] : others)];
}
