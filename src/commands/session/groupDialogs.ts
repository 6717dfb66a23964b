import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type GroupColor, groupColors, maxGroupName } from '../../model/marks/groupRecords';
import type { OwnGroup, OwnGroups } from '../../model/marks/ownGroups';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { plainLabel } from '../../views/plainLabel';
import { groupColor } from '../../views/sessions/nodes/appearance';

const colorNames: Readonly<Record<GroupColor, string>> = {
  red: l10n.t('Red'),
  orange: l10n.t('Orange'),
  yellow: l10n.t('Yellow'),
  green: l10n.t('Green'),
  blue: l10n.t('Blue'),
  purple: l10n.t('Purple'),
};

interface GroupItem extends vscode.QuickPickItem {
  /** `undefined`: a new one. */
  readonly group: OwnGroup | undefined;
}

/** Asks for one of the user's groups, or the name of a new one. Returns its id; `undefined` if the user cancels. */
export async function askGroup(groups: OwnGroups, title: string): Promise<string | undefined> {
  const items: readonly GroupItem[] = [
    ...groups.all.map((group) => ({
      label: plainLabel(group.name),
      iconPath: tag(group),
      group,
    })),
    { label: l10n.t('New Group…'), iconPath: new vscode.ThemeIcon('add'), group: undefined },
  ];
  const picked =
    items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) {
    return undefined;
  }
  return picked.group?.id ?? makeGroup(groups);
}

/** Makes a group with a name that the user gives. Returns its id; `undefined` if the user cancels. */
export async function makeGroup(groups: OwnGroups): Promise<string | undefined> {
  if (groups.isFull) {
    void showInformationMessage(
      l10n.t(
        'There are {0} groups, which is the most that can be kept. Delete one with “Edit Group…” to make another.',
        groups.all.length,
      ),
    );
    return undefined;
  }
  const name = await askName(groups, l10n.t('New Group'));
  return name === undefined ? undefined : groups.add(name);
}

/** Asks for a name that no other group has; `undefined` if the user cancels. */
export function askName(
  groups: OwnGroups,
  title: string,
  of?: OwnGroup,
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: l10n.t('The name of the group'),
    ignoreFocusOut: true,
    ...(of && { value: of.name }),
    validateInput: (text) => {
      const name = cleanText(text, maxGroupName);
      if (name === '') {
        return l10n.t('A group needs a name.');
      }
      const isTaken = groups.all.some((group) => group.id !== of?.id && group.name === name);
      return isTaken ? l10n.t('There is a group with this name.') : undefined;
    },
  });
}

/** Asks for a color; `undefined` if the user cancels. */
export async function askColor({ name, color }: OwnGroup): Promise<GroupColor | '' | undefined> {
  const colors: readonly (GroupColor | undefined)[] = [undefined, ...groupColors];
  const items = colors.map((each) => ({
    label: each === undefined ? l10n.t('No Color') : colorNames[each],
    iconPath: tag({ color: each }),
    ...(each === color && { description: l10n.t('on') }),
    color: each ?? ('' as const),
  }));
  const title = l10n.t('Color of {0}', plainLabel(name));
  return (await vscode.window.showQuickPick(items, { title }))?.color;
}

function tag(group: Pick<OwnGroup, 'color'>): vscode.ThemeIcon {
  const { color } = groupColor(group);
  return new vscode.ThemeIcon(
    'tag',
    color === undefined ? undefined : new vscode.ThemeColor(color),
  );
}
