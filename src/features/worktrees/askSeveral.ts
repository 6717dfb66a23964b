import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { agentItem } from '../../commands/agents/pickAgent';
import { findFolder, pickFolder } from '../../commands/session/newSession';
import { type Agent, isStartedHere } from '../../model/agent';
import { describeFailure } from '../../model/failures/failures';
import { cleanText } from '../../model/text/titles';
import { showErrorMessage, showInformationMessage } from '../../platform/ui/messages';
import type { Draft } from '../../shared/transcript/prompt';
import { getStack } from '../../util/getStack';
import { activeDraft, beginSession } from './beginning';
import { freeName, proposedBranch } from './model/branchNames';
import { WorktreeTrouble } from './model/trouble';
import { type Plan, planWorktrees } from './planning';
import { type WorktreeServices, withTrouble } from './worktreeServices';

/** Maximum number of agents: people can't compare more at once. */
const maxAgents = 3;
/** Maximum length of a prompt, as a question names it. */
const maxPromptLength = 80;

/** "Ask Several Agents…": one prompt for two or three agents, each in its own worktree, on its own branch. */
export function askSeveralAgents(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const title = l10n.t('Ask Several Agents');
    const held = await activeDraft(services);
    const agents = await pickAgents(services, title, held);
    const draft = agents && (held ?? (await askForPrompt(title)));
    const folder = draft && (findFolder(services, argument) ?? (await pickFolder(services, title)));
    if (agents === undefined || draft === undefined || folder === undefined) {
      return;
    }
    const parts = getParts(agents);
    const plans = await planWorktrees(services, folder, { title, draft, parts });
    if (plans !== undefined) {
      await beginAll(services, agents, plans, draft);
    }
  });
}

/** `held`: what the active composer holds, which they get. */
async function pickAgents(
  services: WorktreeServices,
  title: string,
  held: Draft | undefined,
): Promise<readonly Agent[] | undefined> {
  // Each works in a worktree of this machine; a trace works nowhere.
  const here = services.agents.all.filter(isStartedHere);
  if (here.length < 2) {
    void showInformationMessage(l10n.t('There is only one agent. Add another one first.'));
    return undefined;
  }
  const items = here.map((agent) => agentItem(services, agent));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder:
      held === undefined || held.text.trim() === ''
        ? l10n.t('Choose two or three agents.')
        : l10n.t('Choose two or three agents for “{0}”.', cleanText(held.text, maxPromptLength)),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked !== undefined && (picked.length < 2 || picked.length > maxAgents)) {
    void showInformationMessage(l10n.t('Choose two or three agents.'));
    return undefined;
  }
  return picked?.map(({ agent }) => agent);
}

async function askForPrompt(title: string): Promise<Draft | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('The prompt, which is sent to each of them.'),
    ignoreFocusOut: true,
  });
  return text?.trim() ? { text, attachments: [] } : undefined;
}

/** The last parts of their branches' names. */
function getParts(agents: readonly Agent[]): readonly string[] {
  const parts: string[] = [];
  for (const { id } of agents) {
    const name = proposedBranch(id, () => false) || 'agent';
    parts.push(freeName(name, (part) => parts.includes(part)));
  }
  return parts;
}

/**
 * Begins one after the other: Git makes one worktree of a repository at a time. One that fails doesn't hold up the
 * others.
 */
async function beginAll(
  services: WorktreeServices,
  agents: readonly Agent[],
  plans: readonly Plan[],
  draft: Draft,
): Promise<void> {
  for (const [index, plan] of plans.entries()) {
    const agent = agents[index];
    if (agent === undefined) {
      continue;
    }
    try {
      const begun = await beginSession(services, agent, plan, draft);
      begun.session.turns.submit(begun.draft ?? draft);
      const where = index === 0 ? 'here' : 'side';
      await services.panels.open(agent, begun.session.info, { where });
    } catch (error) {
      if (error instanceof WorktreeTrouble && ['cancelled', 'notBegun'].includes(error.problem)) {
        throw error;
      }
      const name = cleanText(agent.title, 60);
      const said = describeFailure(error, name).title;
      services.log.component('worktrees').warn(`${agent.id}: ${getStack(error)}`);
      void showErrorMessage(l10n.t('{0} couldn’t begin: {1}', name, said));
    }
  }
}
