import * as l10n from '@vscode/l10n';
import type { Agent } from '../../../model/agent';
import { agentNames, sessionName } from '../../../model/agents/whose';
import { showInformationMessage } from '../../../platform/ui/messages';
import { getRef, type SessionRef } from '../../../shared/sessionRef';
import type { CommandServices } from '../commandServices';
import { type CommandTarget, getTargets } from '../sessionTarget';
import { forEachTarget } from './forEachTarget';

/** Archives all selected sessions. */
export async function archiveSessions(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  await archiveTargets(services, getTargets(services, argument, selection));
}

/** Archives sessions: by their agent if it can, otherwise in the view. The message offers to undo it. */
export async function archiveTargets(
  services: CommandServices,
  targets: readonly CommandTarget[],
): Promise<void> {
  const words = { doing: l10n.t('Archiving sessions'), failed: l10n.t('Not archived') };
  if (targets.length === 0) {
    return;
  }
  const here: SessionRef[] = [];
  const archived = await forEachTarget(services, targets, words, async (target) => {
    if (await canArchive(target.agent)) {
      await services.sessions.setArchived(target.agent, target.info, true);
    } else {
      here.push(getRef(target));
    }
  });
  await services.marks.setArchived(here, true);
  const [first] = archived;
  if (first !== undefined) {
    void offerUndo(services, archived, first);
  }
}

/** Undoes archiving, in the view or by the agent. */
export async function unarchiveSessions(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  await takeBack(services, getTargets(services, argument, selection));
}

async function offerUndo(
  services: CommandServices,
  archived: readonly CommandTarget[],
  first: CommandTarget,
): Promise<void> {
  const count = archived.length;
  const agents = agentNames(archived.map(({ agent }) => agent));
  const said =
    count === 1
      ? l10n.t('Archived {0}.', sessionName(first))
      : agents === ''
        ? l10n.t('Archived {0} sessions.', count)
        : l10n.t('Archived {0} sessions of {1}.', count, agents);
  const undo = l10n.t('Undo');
  if ((await showInformationMessage(said, undo)) === undo) {
    await takeBack(services, archived);
  }
}

async function takeBack(
  services: CommandServices,
  archived: readonly CommandTarget[],
): Promise<void> {
  const { marks, sessions, tree } = services;
  const isHere = ({ agent, info }: CommandTarget): boolean =>
    marks.get(agent.id, info.sessionId).archived;
  const remote = archived.filter((target) => !isHere(target) || target.info.archived === true);
  await marks.setArchived(archived.filter(isHere).map(getRef), false);
  if (remote.length > 0) {
    const words = { doing: l10n.t('Unarchiving sessions'), failed: l10n.t('Still archived') };
    await forEachTarget(services, remote, words, ({ agent, info }) =>
      sessions.setArchived(agent, info, false),
    );
    await tree.refresh();
  }
}

async function canArchive(agent: Agent): Promise<boolean> {
  const { capabilities } = await agent.connect();
  return capabilities.archive;
}
