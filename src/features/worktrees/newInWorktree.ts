import * as l10n from '@vscode/l10n';
import { findAgent, pickAgent } from '../../commands/agents/pickAgent';
import { findFolder, pickFolder, showNew } from '../../commands/session/newSession';
import { titleAbout } from '../../model/agents/whose';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import { cleanText } from '../../model/text/titles';
import { showWarningMessage } from '../../platform/ui/messages';
import { activeDraft, beginSession } from './beginning';
import { planWorktrees } from './planning';
import { type WorktreeServices, withTrouble } from './worktreeServices';

/**
 * "New Session in Worktree…": a new branch in a folder of its own, and a session there. What the composer of the
 * active session holds proposes the branch's name, and goes along.
 */
export function newSessionInWorktree(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const { agents, tree, work } = services;
    const about = l10n.t('New Session in Worktree');
    const agent = findAgent(tree, argument) ?? (await pickAgent(services, agents.all, about));
    if (agent === undefined) {
      return;
    }
    if (agent.config.remote !== undefined) {
      void showWarningMessage(
        l10n.t(
          '{0} runs on another machine, which doesn’t have the worktrees of this one. Make the worktree there, and begin a session in it.',
          cleanText(agent.title, 60),
        ),
      );
      return;
    }
    const title = titleAbout(about, agent);
    const folder = findFolder(services, argument) ?? (await pickFolder(services, title));
    if (folder === undefined) {
      return;
    }
    const held = await activeDraft(services);
    const [plan] = (await planWorktrees(services, folder, { title, draft: held })) ?? [];
    const begun = plan && (await beginSession(services, agent, plan, held));
    if (begun === undefined) {
      return;
    }
    if (begun.draft !== undefined) {
      await work.read();
      work.setDraft(toSavedTranscript(begun.session), begun.draft);
    }
    await showNew(services, begun.session);
  });
}
