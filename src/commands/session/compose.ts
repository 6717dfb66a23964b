import type { Agent } from '../../model/agent';
import type { KeptWork } from '../../model/kept/keptWork';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import type { Session } from '../../model/session/session';
import type { Draft } from '../../shared/transcript/prompt';
import type { CommandServices } from './commandServices';
import { askForSession, createSession, showNew } from './newSession';

export interface ComposeServices extends CommandServices {
  readonly work: Pick<KeptWork, 'read' | 'setDraft'>;
}

/**
 * Puts a draft into the composer of the active or last active session that can be prompted, or of a new one. Sends
 * nothing.
 */
export async function compose(services: ComposeServices, draft: Draft): Promise<void> {
  const { recent } = services.panels;
  if (recent?.session.writable.kind === 'yes') {
    recent.edit(draft);
    return;
  }
  const session = await createSession(services, undefined);
  if (session !== undefined) {
    await showNewWithDraft(services, session, draft);
  }
}

/** Begins a session of an agent in a folder, with a draft in its composer. Sends nothing. */
export async function composeIn(
  services: ComposeServices,
  agent: Agent,
  cwd: string,
  draft: Draft,
): Promise<void> {
  const { sessions } = services;
  const session = await askForSession(services, agent, (signal) =>
    sessions.create(agent, { name: '', path: cwd }, signal),
  );
  await showNewWithDraft(services, session, draft);
}

/** The agents that are where the sessions of this one are, itself first. */
export function agentsBeside(
  agents: Pick<ComposeServices['agents'], 'get' | 'all'>,
  agentId: string,
): readonly Agent[] {
  const own = agents.get(agentId);
  const isRemote = own?.config.remote !== undefined;
  const others = agents.all.filter(({ id, config }) => id !== agentId && !config.remote);
  return [...(own ? [own] : []), ...(isRemote ? [] : others)];
}

/** Shows a session that was just created, with a draft in its composer. */
async function showNewWithDraft(
  services: ComposeServices,
  session: Session,
  draft: Draft,
): Promise<void> {
  await services.work.read();
  services.work.setDraft(toSavedTranscript(session), draft);
  await showNew(services, session);
}
