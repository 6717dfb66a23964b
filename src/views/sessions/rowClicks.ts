import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../platform/ids';
import type { Appearance } from './appearance';
import type { SessionsNode } from './nodes';

/**
 * What VS Code runs when a row is clicked. It has no arguments: VS Code forgets those of a row once the
 * row is drawn anew, and refuses a click that was on its way.
 */
export const rowCommand = `${viewIds.sessions}.clickRow`;

/** In ms. */
const longestDrawing = 2_000;

type Click = NonNullable<Appearance['click']>;

const commands: Readonly<Record<Click, string>> = {
  open: commandIds.openSession,
  retry: commandIds.retrySessions,
  explain: commandIds.explainAgent,
  manageTrust: 'workbench.trust.manage',
  signIn: commandIds.signIn,
  filter: commandIds.filterSessions,
  clearFilter: commandIds.clearFilter,
  showHidden: commandIds.showHiddenSessions,
  hideHidden: commandIds.hideHiddenSessions,
};

/**
 * The row that a click has selected: VS Code says so before it runs the row's command. While it draws all
 * rows anew it knows none, and doesn't tell when it does again, so it is asked for a while.
 */
export async function selectedRow(
  view: Pick<vscode.TreeView<SessionsNode>, 'selection'>,
): Promise<SessionsNode | undefined> {
  const giveUp = performance.now() + longestDrawing;
  while (view.selection.length === 0 && performance.now() < giveUp) {
    await setTimeout(10);
  }
  return view.selection[0];
}

/** Does what a click on the row, or Enter, means. */
export async function runClick(click: Click, node: SessionsNode): Promise<void> {
  await vscode.commands.executeCommand(commands[click], node);
}
