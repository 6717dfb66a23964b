import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OwnGroup, OwnGroups } from '../../model/marks/ownGroups';
import { showInformationMessage } from '../../platform/ui/messages';
import { plainLabel } from '../../views/plainLabel';
import type { SessionChoices } from '../../views/sessions/nodes/sessionChoices';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { SessionsView } from '../../views/sessions/sessionsView';
import { focusedRows } from '../session/chosenTargets';
import { askColor, askGroup, askName, makeGroup } from '../session/groupDialogs';

/** What making and editing groups takes. */
export interface GroupServices {
  readonly tree: Pick<SessionsTree, 'isNode'>;
  readonly groups: OwnGroups;
  readonly choices: Pick<SessionChoices, 'setGrouping'>;
}

/** "New Group…": makes an empty group, and shows the groups. */
export async function newGroup({ groups, choices }: GroupServices): Promise<void> {
  if ((await makeGroup(groups)) !== undefined) {
    await choices.setGrouping('own');
  }
}

/** "Edit Group…": renames, colors, moves or deletes a group: that of the row, or the one that the user chooses. */
export async function editGroup(services: GroupServices, argument: unknown): Promise<void> {
  const { tree, groups } = services;
  const title = l10n.t('Edit Group');
  const row = tree.isNode(argument) && argument.kind === 'group' ? argument.group.own : undefined;
  const id = row?.id ?? (await askGroup(groups, title));
  const group = id === undefined ? undefined : groups.find(id);
  if (group !== undefined) {
    const actions = getActions(groups, group);
    const picked = await vscode.window.showQuickPick(actions, { title: plainLabel(group.name) });
    await picked?.run();
  }
}

/** What a key takes that applies to the group that has the focus. */
interface FocusServices extends GroupServices {
  readonly view: Pick<SessionsView, 'focusedRows'>;
}

/** `F2` on a group: renames it. Returns whether one of the user's groups has the focus, alone. */
export async function renameFocusedGroup(
  services: FocusServices,
  argument: unknown,
): Promise<boolean> {
  const group = await focusedGroup(services, argument);
  await (group && rename(services.groups, group));
  return group !== undefined;
}

/** `Delete` on a group: deletes it, which can be undone. Returns whether one of the user's groups has the focus, alone. */
export async function deleteFocusedGroup(
  services: FocusServices,
  argument: unknown,
): Promise<boolean> {
  const group = await focusedGroup(services, argument);
  await (group && deleteGroup(services.groups, group));
  return group !== undefined;
}

async function focusedGroup(
  { view, groups }: FocusServices,
  argument: unknown,
): Promise<OwnGroup | undefined> {
  const [row, another] = argument === focusedRows ? await view.focusedRows() : [];
  const own = row?.kind === 'group' && another === undefined ? row.group.own : undefined;
  return own && groups.find(own.id);
}

interface Action extends vscode.QuickPickItem {
  run(): Promise<void>;
}

function getActions(groups: OwnGroups, group: OwnGroup): readonly Action[] {
  return [
    { label: l10n.t('Rename…'), run: () => rename(groups, group) },
    { label: l10n.t('Color…'), run: () => recolor(groups, group) },
    { label: l10n.t('Delete'), run: () => deleteGroup(groups, group) },
  ];
}

async function rename(groups: OwnGroups, group: OwnGroup): Promise<void> {
  const name = await askName(groups, l10n.t('Rename Group'), group);
  if (name !== undefined) {
    await groups.rename(group.id, name);
  }
}

async function recolor(groups: OwnGroups, group: OwnGroup): Promise<void> {
  const color = await askColor(group);
  if (color !== undefined) {
    await groups.setColor(group.id, color || undefined);
  }
}

/** The sessions stay in the list; their order is there again if the user undoes it. */
async function deleteGroup(groups: OwnGroups, { id, name }: OwnGroup): Promise<void> {
  await groups.delete(id);
  const undo = l10n.t('Undo');
  const said = l10n.t('Deleted the group “{0}”. Its sessions are still in the list.', name);
  if ((await showInformationMessage(said, undo)) === undo) {
    await groups.rename(id, name);
  }
}
