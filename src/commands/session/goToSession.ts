import * as l10n from '@vscode/l10n';
import { pickedIsPreview } from '../../platform/settings/settings';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import { deleteTargets } from './bulk/deleteSessions';
import type { CommandServices } from './commandServices';
import { sessionNode } from './sessionTarget';

export async function openSession(
  services: CommandServices,
  argument: unknown,
  where: 'here' | 'side',
): Promise<void> {
  const node = sessionNode(services.tree, argument);
  if (node === undefined) {
    await goToSession(services, where);
    return;
  }
  await services.panels.open(node.list.agent, node.row.info, { where });
}

/** "Go to Session…". */
export async function goToSession(
  services: CommandServices,
  where: 'here' | 'side' = 'here',
): Promise<void> {
  const { workspace, panels, marks, agents } = services;
  if (workspace.folders.length === 0) {
    void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
    return;
  }
  agents.includeArchived();
  const picked = await pickSession(services, {
    delete: async ({ list: { agent }, row: { info, title } }) => {
      const { alias } = marks.get(agent.id, info.sessionId);
      return deleteTargets(services, [{ agent, info, title: alias ?? title }]);
    },
  });
  if (picked !== undefined) {
    const opening = { where: where === 'side' ? where : picked.where, preview: pickedIsPreview() };
    await panels.open(picked.list.agent, picked.row.info, opening);
  }
}
