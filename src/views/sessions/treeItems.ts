import * as vscode from 'vscode';
import { commandIds } from '../../platform/ids';
import type { Appearance } from './appearance';
import type { SessionsNode } from './nodes';

const clickCommands: Readonly<Record<NonNullable<Appearance['click']>, string>> = {
  open: commandIds.openSession,
  retry: commandIds.retrySessions,
  editAgents: commandIds.editAgents,
  manageTrust: 'workbench.trust.manage',
  signIn: commandIds.signIn,
  filter: commandIds.filterSessions,
  clearFilter: commandIds.clearFilter,
  showHidden: commandIds.showHiddenSessions,
  hideHidden: commandIds.hideHiddenSessions,
};

/** A node as VS Code draws it. The tooltip follows when it is asked for. */
export function toTreeItem(
  node: SessionsNode,
  appearance: Appearance,
  expanded: boolean,
): vscode.TreeItem {
  const item = new vscode.TreeItem(appearance.label, collapsibleState(appearance, expanded));
  item.id = node.id;
  item.contextValue = appearance.words.join(' ');
  if (appearance.description !== undefined) {
    item.description = appearance.description;
  }
  if (appearance.icon !== undefined) {
    const { id, color } = appearance.icon;
    item.iconPath = new vscode.ThemeIcon(
      id,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
  }
  if (appearance.spoken !== undefined) {
    item.accessibilityInformation = { label: appearance.spoken };
  }
  if (appearance.click !== undefined) {
    item.command = {
      command: clickCommands[appearance.click],
      title: '',
      arguments: [node],
    };
  }
  return item;
}

function collapsibleState(
  { expandable }: Appearance,
  expanded: boolean,
): vscode.TreeItemCollapsibleState {
  if (!expandable) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return expanded
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}
