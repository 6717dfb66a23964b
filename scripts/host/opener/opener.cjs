// @ts-check
const vscode = require('vscode');

/** Focuses the sessions view, and opens the first session if the window has no tab yet. */
exports.activate = async () => {
  const isOpen = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
  await vscode.commands.executeCommand('acpSessions.sessions.focus');
  // No API tells when a view has its rows, and the view loses the focus when they arrive.
  for (let attempt = 0; attempt < 30 && !isOpen(); attempt++) {
    await vscode.commands.executeCommand('acpSessions.sessions.focus');
    await vscode.commands.executeCommand('list.focusFirst');
    // From the group "Today" to the first session in it.
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.select');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
