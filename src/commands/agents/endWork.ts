import * as l10n from '@vscode/l10n';
import type { Agent } from '../../model/agent';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { showWarningMessage } from '../../platform/ui/messages';
import { named } from '../named';

/** Asks before ending sessions that are busy, which `getTitle` names; `true` if none is, or the user agrees. */
export async function mayEnd(
  sessions: readonly Session[],
  question: string,
  answer: string,
  getTitle: (session: Session) => string,
): Promise<boolean> {
  const busy = sessions.filter(({ isBusy }) => isBusy);
  if (busy.length === 0) {
    return true;
  }
  const titles = named(busy.map(getTitle)).join('\n');
  const kept = l10n.t(
    'The conversation so far and queued prompts are kept; the prompts aren’t sent.',
  );
  const given = await showWarningMessage(
    question,
    { modal: true, detail: `${titles}\n\n${kept}` },
    answer,
  );
  return given === answer;
}

/** Asks before ending an agent that has busy sessions. */
export function mayEndAgent(
  sessions: Pick<Sessions, 'all'>,
  agent: Agent,
  answer: string,
): Promise<boolean> {
  const own = sessions.all.filter((session) => session.agent === agent);
  const title = cleanText(agent.title, 60);
  const question = l10n.t('{0} is still working. Stop it?', title);
  return mayEnd(own, question, answer, (session) => cleanText(session.title, 120));
}
