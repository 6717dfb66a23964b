import * as vscode from 'vscode';
import { commandIds } from '../../platform/ids';
import type { Appearance } from './nodes/appearance';
import type { SessionsNode } from './nodes/nodes';

/**
 * What a click on a row does besides opening a session. These commands have no arguments: VS Code forgets those of
 * a row once the row is drawn anew, and refuses a click that was on its way
 * (https://github.com/microsoft/vscode/issues/173233).
 */
const commands: Readonly<Record<Exclude<NonNullable<Appearance['click']>, 'open'>, string>> = {
  newSession: commandIds.newSessionOfAgent,
  retry: commandIds.retrySessions,
  explain: commandIds.explainAgent,
  manageTrust: 'workbench.trust.manage',
  signIn: commandIds.signIn,
  filter: commandIds.filterSessions,
  clearFilter: commandIds.clearFilter,
  showHidden: commandIds.showHiddenSessions,
  hideHidden: commandIds.hideHiddenSessions,
};

/** What a session's row opens. */
export interface RowTarget {
  readonly uri: vscode.Uri;
  /** Where its tab is, which is shown there. */
  readonly viewColumn: vscode.ViewColumn | undefined;
}

/** A node as VS Code draws it. The tooltip follows when it is asked for. */
export function toTreeItem(
  node: SessionsNode,
  appearance: Appearance,
  expanded: boolean,
  target: RowTarget | undefined,
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
  if (appearance.click === 'open' && target !== undefined) {
    // VS Code's own command, whose arguments it keeps, and which knows of previews, double clicks and the side.
    const { uri, viewColumn } = target;
    const place = viewColumn === undefined ? [] : [viewColumn];
    item.command = { command: 'vscode.open', title: '', arguments: [uri, ...place] };
  } else if (appearance.click !== undefined && appearance.click !== 'open') {
    item.command = { command: commands[appearance.click], title: '' };
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
