import * as l10n from '@vscode/l10n';
import { cleanText } from '../model/titles';
import { showWarningMessage } from '../platform/messages';
import { ableTargets, forEachTarget, named } from './bulk';
import type { SessionCommands } from './sessions';
import { type Target, targetsOf } from './target';

/** Deletes all selected sessions for good, after a question (DEL-6). What fails is named; its row stays (DEL-3). */
export async function deleteSessions(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const chosen = targetsOf(commands, argument, selection);
  await deleteTargets(commands, await ableTargets(chosen, 'delete'));
}

/** The same for sessions that were chosen otherwise; their agents can delete. */
export async function deleteTargets(
  commands: SessionCommands,
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0 || !(await confirm(targets, commands.agents.all.length > 1))) {
    return;
  }
  const words = { doing: l10n.t('Deleting sessions'), failed: l10n.t('Not deleted') };
  await forEachTarget(commands, targets, words, async ({ agent, info }) => {
    await commands.sessions.delete(agent, info);
    await commands.marks.forget({ agentId: agent.id, sessionId: info.sessionId });
  });
}

/** Where there are several agents, it is said whose the sessions are. */
async function confirm(targets: readonly Target[], hasSeveral: boolean): Promise<boolean> {
  const [first] = targets;
  const isOne = targets.length === 1 && first !== undefined;
  const question = isOne
    ? hasSeveral
      ? l10n.t('Delete the session “{0}” of {1}?', cleanText(first.title, 120), agentOf(first))
      : l10n.t('Delete the session “{0}”?', cleanText(first.title, 120))
    : l10n.t('Delete {0} sessions?', targets.length);
  const nameOf = (target: Target): string =>
    `${cleanText(target.title, 120)}${hasSeveral ? ` (${agentOf(target)})` : ''}`;
  const names = named(targets.map(nameOf)).join('\n');
  const warning = l10n.t("The agent forgets what was said. This can't be undone.");
  const detail = isOne ? warning : `${names}\n\n${warning}`;
  const answer = l10n.t('Delete');
  const given = await showWarningMessage(question, { modal: true, detail }, answer);
  return given === answer;
}

function agentOf({ agent }: Target): string {
  return cleanText(agent.title, 60);
}
