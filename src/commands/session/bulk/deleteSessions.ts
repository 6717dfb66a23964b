import * as l10n from '@vscode/l10n';
import { sessionName, sessionTitle } from '../../../model/agents/whose';
import { cleanText } from '../../../model/text/titles';
import { showWarningMessage } from '../../../platform/ui/messages';
import { getRef } from '../../../shared/sessionRef';
import { named } from '../../named';
import { chosenTargets, type RowServices } from '../chosenTargets';
import type { CommandServices } from '../commandServices';
import type { CommandTarget } from '../sessionTarget';
import { ableTargets, forEachTarget } from './forEachTarget';

/**
 * "Delete…": permanently deletes all chosen sessions after a confirmation (DEL-6). Reports failures, whose
 * rows stay (DEL-3).
 */
export async function deleteSessions(
  services: RowServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const chosen = await chosenTargets(services, argument, selection);
  const known = await targetsKnownHere(chosen);
  const others = chosen.filter((target) => !known.includes(target));
  await deleteTargets(services, [...known, ...(await ableTargets(others, 'delete'))]);
}

/** Deletes sessions that were chosen in another way, whose agents can delete. */
export async function deleteTargets(
  services: CommandServices,
  targets: readonly CommandTarget[],
): Promise<void> {
  if (targets.length === 0 || !(await confirm(targets))) {
    return;
  }
  const words = { doing: l10n.t('Deleting sessions'), failed: l10n.t('Not deleted') };
  await forEachTarget(services, targets, words, async (target) => {
    await services.sessions.delete(target.agent, target.info);
    await services.marks.forget(getRef(target));
    await services.groups.take([getRef(target)]);
  });
}

/** The sessions that only this window lists: they can be forgotten, whatever their agents support. */
async function targetsKnownHere(
  targets: readonly CommandTarget[],
): Promise<readonly CommandTarget[]> {
  for (const agent of new Set(targets.map((target) => target.agent))) {
    await agent.connect();
  }
  return targets.filter(({ agent }) => !agent.current.supports('list'));
}

async function confirm(targets: readonly CommandTarget[]): Promise<boolean> {
  if (!targets.some(({ agent }) => agent.current.supports('delete'))) {
    return confirmForgetting(targets);
  }
  const [first] = targets;
  const isOne = targets.length === 1 && first !== undefined;
  const question = isOne
    ? l10n.t('Delete the session {0}?', sessionName(first, 120))
    : l10n.t('Delete {0} sessions?', targets.length);
  const names = named(targets.map(sessionTitle)).join('\n');
  const warning = l10n.t('The agent deletes the conversation. This can’t be undone.');
  const detail = isOne ? warning : `${names}\n\n${warning}`;
  const answer = l10n.t('Delete');
  const given = await showWarningMessage(question, { modal: true, detail }, answer);
  return given === answer;
}

/** Asks before sessions are forgotten whose agents can't delete. */
async function confirmForgetting(targets: readonly CommandTarget[]): Promise<boolean> {
  const [first] = targets;
  const isOne = targets.length === 1 && first !== undefined;
  const question = isOne
    ? l10n.t('Forget the session {0}?', sessionName(first, 120))
    : l10n.t('Forget {0} sessions?', targets.length);
  const agents = [...new Set(targets.map(getAgent))].join(', ');
  const detail = l10n.t(
    'The session is removed from this list and can’t be restored here. {0} can’t delete sessions and may keep the conversation.',
    agents,
  );
  const answer = l10n.t('Forget');
  return (await showWarningMessage(question, { modal: true, detail }, answer)) === answer;
}

function getAgent({ agent }: CommandTarget): string {
  return cleanText(agent.title, 60);
}
