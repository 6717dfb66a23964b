import * as l10n from '@vscode/l10n';
import { sessionName } from '../../../model/agents/whose';
import { askInSession } from '../../../model/session/askInSession';
import type { Session } from '../../../model/session/session';
import { showWarningMessage } from '../../../platform/ui/messages';
import { orCanceled } from '../../../platform/ui/withCancel';
import type { WorktreeServices } from '../worktreeServices';

/** Characters of a message that are kept. */
const maxLength = 5_000;

const prompt = (): string =>
  l10n.t(
    'Propose a message for a commit of all changes in this worktree that aren’t committed. Answer with the message alone: a first line of at most 72 characters and, if it is needed, a text below an empty line. Change nothing and commit nothing.',
  );

/**
 * Asks a session's agent, as the user would, in its transcript. Returns what it proposes; `undefined` if the user
 * cancels, or if there is nothing, which is said.
 */
export async function askForMessage(
  { panels }: Pick<WorktreeServices, 'panels'>,
  session: Session,
): Promise<string | undefined> {
  await panels.open(session.agent, session.info);
  const title = l10n.t('Waiting for the message of {0}', sessionName(session));
  const answer = await orCanceled(title, (signal) => askInSession(session, prompt(), signal));
  const message = answer && cleaned(answer);
  if (answer !== undefined && !message) {
    void showWarningMessage(
      l10n.t('The agent has answered nothing, or its turn has failed; the tab shows why.'),
    );
  }
  return message || undefined;
}

/** Without the fences around it, and without characters that can't be seen. */
function cleaned(text: string): string {
  const fenced = /```[^\n]*\n([\s\S]*?)\n```/.exec(text);
  return (fenced?.[1] ?? text)
    .slice(0, maxLength)
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim();
}
