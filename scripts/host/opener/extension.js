// @ts-check
const { setTimeout } = require('node:timers/promises');
const vscode = require('vscode');

const tries = 40;
const pauseMs = 500;

/** Shows the view of a window with nothing open, and the newest session, as a person would who comes back. */
exports.activate = async () => {
  if (hasTabs()) return;
  // Its rows come when the agent has started: the first is that of a day, the second the newest session.
  for (let left = tries; left > 0 && !hasTabs(); left--) {
    await vscode.commands.executeCommand('acpSessions.sessions.focus');
    await setTimeout(pauseMs);
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.select');
  }
};

function hasTabs() {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
}
