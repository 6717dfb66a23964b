import * as vscode from 'vscode';
import { commandIds } from '../../platform/ids';
import { failureActions } from '../../shared/failure';
import { agentIcon } from '../agentIcon';
import type { Appearance } from './nodes/appearance';
import type { SessionsNode } from './nodes/nodes';

/**
 * The commands for clicks on rows that don't open a session. They take no arguments: VS Code drops a row's
 * arguments when the row is redrawn, and rejects a click that is already in flight
 * (https://github.com/microsoft/vscode/issues/173233).
 */
const commands: Readonly<Record<Exclude<NonNullable<Appearance['click']>, 'open'>, string>> = {
  newSession: commandIds.newSessionOfAgent,
  retry: commandIds.retrySessions,
  explain: commandIds.explainAgent,
  manageTrust: failureActions.manageTrust.command,
  signIn: failureActions.signIn.command,
  filter: commandIds.filterSessions,
  clearFilter: commandIds.clearFilter,
  showHidden: commandIds.showHiddenSessions,
  hideHidden: commandIds.hideHiddenSessions,
};

/** The document that a session's row opens. */
export interface RowTarget {
  readonly uri: vscode.Uri;
  /** The column in which its tab is open, to show it there. */
  readonly viewColumn: vscode.ViewColumn | undefined;
}

/** The tree item for a node. Its tooltip is resolved on demand. */
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
    const { id, color, own } = appearance.icon;
    item.iconPath =
      own === undefined
        ? new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color))
        : agentIcon(own);
  }
  if (appearance.spoken !== undefined) {
    item.accessibilityInformation = { label: appearance.spoken };
  }
  if (appearance.click === 'open' && target !== undefined) {
    // A command of VS Code, which keeps its arguments and handles previews, double clicks and
    // opening to the side.
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
