import * as vscode from 'vscode';
import type { Appearance } from './appearance';
import type { SessionsNode } from './nodes';
import { rowCommand } from './rowClicks';

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
    item.command = { command: rowCommand, title: '' };
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
