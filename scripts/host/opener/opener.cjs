// @ts-check
const vscode = require('vscode');

/** Shows the sessions, and opens the first of them when the window has no tab yet. */
exports.activate = async () => {
  await vscode.commands.executeCommand('acpSessions.sessions.focus');
  const isOpen = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
  // The list takes a moment to come: until then there is no row that could be chosen.
  for (let attempt = 0; attempt < 30 && !isOpen(); attempt++) {
    await vscode.commands.executeCommand('list.focusFirst');
    // From the group "Today" to the first session in it.
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.select');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
