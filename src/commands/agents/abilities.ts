import * as l10n from '@vscode/l10n';
import type { Agent } from '../../model/agent';
import { cleanText } from '../../model/text/titles';
import { showWarningMessage } from '../../platform/ui/messages';

const refusals = {
  load: (agent: string) => l10n.t('{0} can’t load sessions: it doesn’t offer that.', agent),
  resume: (agent: string) =>
    l10n.t('{0} can’t resume a session without its history: it doesn’t offer that.', agent),
  fork: (agent: string) => l10n.t('{0} can’t fork sessions: it doesn’t offer that.', agent),
  delete: (agent: string) => l10n.t('{0} can’t delete sessions: it doesn’t offer that.', agent),
  close: (agent: string) => l10n.t('{0} can’t close sessions: it doesn’t offer that.', agent),
  logout: (agent: string) => l10n.t('{0} can’t sign out: it doesn’t offer that.', agent),
};

/** A capability that a command may require of an agent. */
export type Ability = keyof typeof refusals;

/** Starts the agent if necessary, and tells the user if it doesn't support this (DEL-2, RES-2). */
export async function canDo(agent: Agent, capability: Ability): Promise<boolean> {
  const { capabilities } = await agent.connect();
  if (capabilities[capability]) {
    return true;
  }
  refuse(agent, capability);
  return false;
}

/** Tells the user that the agent doesn't support this. */
export function refuse(agent: Agent, capability: Ability): void {
  void showWarningMessage(refusals[capability](cleanText(agent.title, 60)));
}
