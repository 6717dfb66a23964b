import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { titleAbout } from '../../model/agents/whose';
import type { Origin } from '../../model/marks/origin';
import type { Draft } from '../../shared/transcript/prompt';
import { plainLabel } from '../../views/plainLabel';
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

/**
 * Shows the page of a new session of an agent in a folder, with a draft in its composer; `origin`: the session that it
 * continues. Sends nothing.
 */
export async function composeIn(
  services: CommandServices,
  agent: Agent,
  cwd: string,
  draft: Draft,
  origin?: Origin,
): Promise<void> {
  const { folders } = services.workspace;
  const folder = folders.find(({ path }) => path === cwd) ?? { name: basename(cwd), path: cwd };
  await services.panels.openNew({ agent, folder, origin }, draft);
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

/** Asks for one of these agents, the others first: a new session of the same one can be chosen, too. */
export async function pickAgentBeside(
  agents: Pick<CommandServices['agents'], 'get' | 'all'>,
  agentId: string,
  { title, placeHolder }: { readonly title: string; readonly placeHolder: string },
): Promise<Agent | undefined> {
  const [own = [], others = []] = [true, false].map((isOwn) =>
    agentsBeside(agents, agentId).filter(({ id }) => (id === agentId) === isOwn),
  );
  const items = [...others, ...own].map((agent) => ({ label: plainLabel(agent.title), agent }));
  const picked = await vscode.window.showQuickPick(items, {
    title: titleAbout(title, ...own),
    placeHolder,
  });
  return picked?.agent;
}
