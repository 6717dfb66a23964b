// @ts-check
const vscode = require('vscode');

/** Focuses the sessions view, and opens the first session if the window has no tab yet. */
exports.activate = async () => {
  await vscode.commands.executeCommand('acpSessions.sessions.focus');
  const isOpen = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
  // The list loads asynchronously: until then there is no row to select.
  for (let attempt = 0; attempt < 30 && !isOpen(); attempt++) {
    // The rows that replace a welcome message take the view's focus away.
    if (attempt > 4) await vscode.commands.executeCommand('acpSessions.sessions.focus');
    await vscode.commands.executeCommand('list.focusFirst');
    // From the group "Today" to its first session.
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.select');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
