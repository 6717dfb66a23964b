import * as l10n from '@vscode/l10n';
import { findAgent } from '../../../commands/agents/pickAgent';
import { openNewPage } from '../../../commands/session/newSession';
import { isStartedHere } from '../../../model/agent';
import { cleanText } from '../../../model/text/titles';
import { showWarningMessage } from '../../../platform/ui/messages';
import { type WorktreeServices, withTrouble } from '../worktreeServices';
import { activeDraft } from './beginning';

/**
 * "New Session in Worktree": the page of a new session, for which a worktree is made. What the composer of the active
 * session holds goes along.
 */
export function newSessionInWorktree(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const agent = findAgent(services.tree, argument) ?? services.newPages.lastAgent;
    if (agent !== undefined && !isStartedHere(agent)) {
      void showWarningMessage(
        l10n.t(
          '{0} runs on another machine, which doesn’t have the worktrees of this one. Make the worktree there, and begin a session in it.',
          cleanText(agent.title, 60),
        ),
      );
      return;
    }
    const draft = await activeDraft(services);
    await openNewPage(services, argument, { draft, isMade: true });
  });
}
