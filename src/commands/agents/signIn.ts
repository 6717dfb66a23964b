import * as l10n from '@vscode/l10n';
import { type Agent, isConfigured } from '../../model/agent';
import { accountText } from '../../model/agents/accountWords';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SignInDialog } from '../../views/dialogs/signInDialog';
import { canDo } from './abilities';
import { mayEndAgent } from './endWork';
import { findAgent, pickAgent } from './pickAgent';
import type { AgentServices } from './restartAgent';

export interface SignInServices extends AgentServices {
  readonly sessions: Sessions;
  readonly signIn: SignInDialog;
}

/** "Sign In…" to an agent, and then repeats what failed without the login (AUTH-4). */
export async function signInToAgent(services: SignInServices, argument: unknown): Promise<void> {
  const { agents, tree } = services;
  const open = agents.all.filter(mayHaveLogin);
  const choice = open.length > 0 ? open : agents.all;
  const named = typeof argument === 'string' ? agents.get(argument) : findAgent(tree, argument);
  const agent = named ?? (await pickAgent(services, choice, l10n.t('Sign In')));
  if (agent !== undefined) {
    await signInTo(services, agent);
  }
}

/** An agent that isn't running may have a login method; a trace has none. */
function mayHaveLogin(agent: Agent): boolean {
  const { state } = agent;
  return isConfigured(agent) && (state.kind !== 'ready' || state.connection.authMethods.length > 0);
}

async function signInTo({ tree, sessions, signIn }: SignInServices, agent: Agent): Promise<void> {
  if (!(await signIn.signIn(agent))) {
    return;
  }
  const refused = sessions.all.filter(
    ({ agent: { id }, phase }) =>
      id === agent.id && phase.kind === 'failed' && phase.failure.code === 'authRequired',
  );
  await Promise.all([tree.refresh(agent.id), ...refused.map((session) => session.reload())]);
}

/** The token of an agent on another machine is kept here, also one with which the agent can't be reached. */
function mayBeSignedIn({ state, config }: Agent): boolean {
  return state.kind === 'ready' || config.remote !== undefined;
}

/**
 * "Sign Out": only sent to an agent that offers it (AUTH-10). The user's API key is removed in any case. Rows stay;
 * sessions may ask to sign in again (AUTH-11).
 */
export async function signOutOfAgent(services: SignInServices, argument: unknown): Promise<void> {
  const { agents, tree, sessions, signIn } = services;
  const choice = agents.all.filter(mayBeSignedIn);
  const agent =
    findAgent(tree, argument) ?? (await pickAgent(services, choice, l10n.t('Sign Out')));
  if (agent === undefined || !(await mayEndAgent(sessions, agent, l10n.t('Sign Out')))) {
    return;
  }
  const hadKey = await signIn.forgetKeys(agent);
  if (!hadKey && !(await canDo(agent, 'logout'))) {
    return;
  }
  const account = accountText(agent);
  try {
    if (agent.supports('logout')) {
      await sessions.signOut(agent);
    }
  } finally {
    if (hadKey) {
      // The running process still has the key.
      await agent.stop();
      sessions.forgetLimits(agent);
    }
  }
  const name = cleanText(agent.title, 60);
  const again = l10n.t('Sign In');
  const answer = await showInformationMessage(
    account === undefined
      ? l10n.t('Signed out of {0}. Its open sessions continue once you sign in again.', name)
      : l10n.t(
          'Signed out of {0}: {1}. Its open sessions continue once you sign in again.',
          name,
          account,
        ),
    again,
  );
  if (answer === again) {
    await signInTo(services, agent);
  }
}
