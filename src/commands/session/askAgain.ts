import * as l10n from '@vscode/l10n';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import type { CommandServices } from './commandServices';
import { findOpenSession, findTarget } from './sessionTarget';

/** Revokes what the user has allowed for as long as the session is open. */
export function askAgain(services: CommandServices, argument: unknown): void {
  const target = findTarget(services, argument);
  const session = target && findOpenSession(services, target);
  if (session !== undefined) {
    session.askAgain();
    void showInformationMessage(
      l10n.t(
        'You will be asked again before {0} changes files, runs commands, or uses other folders in “{1}”.',
        cleanText(session.agent.title, 60),
        cleanText(session.title, 60),
      ),
    );
  }
}
