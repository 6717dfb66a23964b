import * as l10n from '@vscode/l10n';
import { pickedIsPreview } from '../../platform/settings/settings';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/sessionPicker';
import { deleteTargets } from './deleteSessions';
import { type SessionCommands, sessionNode } from './sessionCommands';

export async function openSession(
  commands: SessionCommands,
  argument: unknown,
  where: 'here' | 'side',
): Promise<void> {
  const node = sessionNode(commands.tree, argument);
  if (node === undefined) {
    await goToSession(commands, where);
    return;
  }
  await commands.panels.open(node.list.agent, node.row.info, { where });
}

/** "Go to Session…". */
export async function goToSession(
  commands: SessionCommands,
  where: 'here' | 'side' = 'here',
): Promise<void> {
  const { workspace, panels, marks, agents } = commands;
  if (workspace.folders.length === 0) {
    void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
    return;
  }
  agents.includeArchived();
  const picked = await pickSession(commands, {
    delete: ({ list: { agent }, row: { info, title } }) => {
      const { alias } = marks.get(agent.id, info.sessionId);
      return deleteTargets(commands, [{ agent, info, title: alias ?? title }]);
    },
  });
  if (picked !== undefined) {
    const opening = { where: where === 'side' ? where : picked.where, preview: pickedIsPreview() };
    await panels.open(picked.list.agent, picked.row.info, opening);
  }
}
